// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What the users of a Directory are asked to agree to, now and later.
public struct TermsBook: Sendable {
    /// The purposes that apps of `LatchkeyClient` ask about (G-11), in the order in which they are shown. An operator
    /// may publish versions of their own under these names.
    static let builtIn = ["analytics", "crashReporting", "telemetry", "personalizedData"]
    private static let keys: [String: MessageKey] = [
        "analytics": .consentAnalytics, "crashReporting": .consentCrashReporting, "telemetry": .consentTelemetry,
        "personalizedData": .consentPersonalizedData,
    ]
    static let builtInVersion = "1"

    /// Every version that is stored, in order of name and of when it takes effect.
    let all: [Terms]
    private let directory: DirectoryID

    init(of directory: DirectoryID, _ tx: any TermsReading) throws {
        all = try tx.terms(in: directory)
        self.directory = directory
    }

    /// The current version of each name: documents, then purposes.
    public func current(at now: Instant) -> [Terms] {
        var latest: [String: Terms] = [:]
        // Of one name the later ones come later.
        for terms in all where terms.isEffective(at: now) { latest[terms.name] = terms }
        let known = latest.values.sorted { $0.name < $1.name }
        let missing = Self.builtIn.filter { latest[$0] == nil }.map(brought)
        return known.filter { $0.kind == .document } + missing + known.filter { $0.kind == .purpose }
    }

    /// What takes effect later.
    public func upcoming(at now: Instant) -> [Terms] { all.filter { !$0.isEffective(at: now) } }

    /// What there is no session without.
    func demanded(at now: Instant) -> [Terms] {
        guard all.contains(where: \.isDemanded) else { return [] }
        return current(at: now).filter(\.isDemanded)
    }

    /// A version that has taken effect; `nil` for any other.
    func effective(_ reference: TermsReference, at now: Instant) -> Terms? {
        if let stored = all.first(where: { $0.reference == reference }) {
            return stored.isEffective(at: now) ? stored : nil
        }
        let isBrought = reference.version == Self.builtInVersion && Self.builtIn.contains(reference.name)
        return isBrought ? brought(reference.name) : nil
    }

    private func brought(_ name: String) -> Terms {
        var texts: [String: Terms.Text] = [:]
        for language in MessageLanguage.allCases {
            let title = Self.keys[name].flatMap { MessageCatalog.text($0, in: language, values: [:]) }
            texts[language.rawValue] = Terms.Text(title: title ?? name)
        }
        return Terms(
            directoryID: directory, reference: TermsReference(unchecked: name, Self.builtInVersion), kind: .purpose,
            texts: texts, effectiveAt: Instant(seconds: 0),
            createdAt: Instant(seconds: 0))
    }
}
