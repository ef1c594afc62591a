// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// One version of what users are asked to agree to: a document such as terms of service, or a purpose that data is used
/// for.
///
/// A version that has taken effect is never changed and never goes: what somebody has agreed to must stay readable.
public struct Terms: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable {
        /// Agreed to version by version. A sign-in may demand it.
        case document
        /// Consented to and withdrawn at will (GDPR, article 7(3)). No sign-in ever demands it.
        case purpose
    }

    /// In one language.
    public struct Text: Sendable, Hashable {
        public var title: String
        /// Where the whole of it is.
        public var url: String?

        public init(title: String, url: String? = nil) {
            self.title = title
            self.url = url
        }
    }

    public var directoryID: DirectoryID
    public var reference: TermsReference
    public var kind: Kind
    /// Whether there is no session without it, while it is the current version.
    public var isDemanded: Bool
    /// By language (BCP 47), one at least.
    public var texts: [String: Text]
    /// From when it is the current one. No two of one name take effect at once.
    public var effectiveAt: Instant
    public var createdAt: Instant

    public init(
        directoryID: DirectoryID, reference: TermsReference, kind: Kind, isDemanded: Bool = false,
        texts: [String: Text], effectiveAt: Instant, createdAt: Instant
    ) {
        self.directoryID = directoryID
        self.reference = reference
        self.kind = kind
        self.isDemanded = isDemanded
        self.texts = texts
        self.effectiveAt = effectiveAt
        self.createdAt = createdAt
    }

    public var name: String { reference.name }
    public var version: String { reference.version }

    public func isEffective(at now: Instant) -> Bool { effectiveAt <= now }

    /// In the language, else in English, else in the first that there is.
    public func text(in language: MessageLanguage) -> Text? {
        texts[language.rawValue] ?? texts[MessageLanguage.en.rawValue]
            ?? texts.min { $0.key < $1.key }?.value
    }
}

/// Names one version of one document or purpose.
public struct TermsReference: Sendable, Hashable {
    /// 1 to 64 of letters, digits, `.`, `_` and `-`.
    public let name: String
    /// Of the same form; nothing is read from it.
    public let version: String

    /// `nil` for what is not of this form.
    public init?(name: String, version: String) {
        guard Self.isWord(name), Self.isWord(version) else { return nil }
        self.init(unchecked: name, version)
    }

    /// What a store has kept.
    package init(unchecked name: String, _ version: String) {
        self.name = name
        self.version = version
    }

    public static func isWord(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                switch $0 {
                case 48...57, 65...90, 97...122, UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
                default: false
                }
            }
    }
}
