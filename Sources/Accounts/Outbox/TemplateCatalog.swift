// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail

/// The templates of each Directory, compiled when they are first used and again when its wording changes.
final class TemplateCatalog: Sendable {
    /// What a Directory's messages are made of.
    struct Templates: Sendable {
        var mails: MailTemplates
        var texts: TextTemplates
    }

    private struct Entry {
        var wording: DirectorySettings.MailSettings
        var templates: Templates
    }

    private static let capacity = 256

    private let defaults: MailTemplates
    private let entries = Mutex<[DirectoryID: Entry]>([:])

    init(defaults: MailTemplates) {
        self.defaults = defaults
    }

    /// Whoever writes settings has them checked (``MessageWording``). One that can't be used all the same, as a younger
    /// server may have stored it, has the built-in words in its place: a message that is owed is sent.
    func templates(of directory: Directory) -> Templates {
        let wording = directory.settings.mail
        if wording.subjects.isEmpty, wording.bodies.isEmpty, wording.texts.isEmpty {
            return Templates(mails: defaults, texts: .usable([:]))
        }
        if let entry = entries.withLock({ $0[directory.id] }), entry.wording == wording { return entry.templates }
        let mails = try? MailTemplates.usable(
            subjects: MessageWording.byKind(wording.subjects), bodies: MessageWording.byKind(wording.bodies))
        let compiled = Templates(mails: mails ?? defaults, texts: .usable(wording.texts))
        entries.withLock {
            if $0.count >= Self.capacity { $0.removeAll() }
            $0[directory.id] = Entry(wording: wording, templates: compiled)
        }
        return compiled
    }
}
