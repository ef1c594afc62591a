// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail
import Synchronization

/// The templates of each Directory, compiled when they are first used and again when its wording changes.
final class TemplateCatalog: Sendable {
    private struct Entry {
        var wording: DirectorySettings.MailSettings
        var templates: MailTemplates
    }

    private static let capacity = 256

    private let defaults: MailTemplates
    private let entries = Mutex<[DirectoryID: Entry]>([:])

    init(defaults: MailTemplates) {
        self.defaults = defaults
    }

    /// - Throws: ``AuthErrorCode/internalFailure`` when the Directory's templates can't be read. Whoever writes
    ///   settings has them checked, so this is not the caller's fault.
    func templates(of directory: Directory) throws(AuthError) -> MailTemplates {
        let wording = directory.settings.mail
        if wording.subjects.isEmpty, wording.bodies.isEmpty { return defaults }
        if let entry = entries.withLock({ $0[directory.id] }), entry.wording == wording { return entry.templates }
        let compiled: MailTemplates
        do {
            compiled = try MailTemplates(subjects: Self.byKind(wording.subjects), bodies: Self.byKind(wording.bodies))
        } catch {
            throw AuthError(.internalFailure, reason: "mail templates of the Directory: \(error)")
        }
        entries.withLock {
            if $0.count >= Self.capacity { $0.removeAll() }
            $0[directory.id] = Entry(wording: wording, templates: compiled)
        }
        return compiled
    }

    private static func byKind(_ texts: [String: String]) -> [MailKind: String] {
        Dictionary(uniqueKeysWithValues: texts.map { (MailKind(rawValue: $0.key), $0.value) })
    }
}
