// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail

/// Judges an operator's words for messages before they are stored, so that no message is sent with a hole in it, with
/// somebody's markup, or without what it is sent for.
public enum MessageWording {
    private static let longestAddress = 512

    /// Looks at what differs from what there was: what was stored by other rules stays as it is until it is changed.
    ///
    /// - Throws: ``AuthErrorCode/invalidRequest`` whose field is the setting and whose reason names the kind.
    public static func require(
        _ mail: DirectorySettings.MailSettings, changedFrom old: DirectorySettings.MailSettings
    ) throws(AuthError) {
        for (name, text) in mail.subjects where old.subjects[name] != text {
            try naming("mail.subjects", name) { () throws(AuthError) in
                try MailTemplates.require(subjects: byKind([name: text]), bodies: [:])
            }
        }
        for (name, text) in mail.bodies where old.bodies[name] != text {
            try naming("mail.bodies", name) { () throws(AuthError) in
                try MailTemplates.require(subjects: [:], bodies: byKind([name: text]))
            }
        }
        for (name, text) in mail.texts where old.texts[name] != text {
            try naming("mail.texts", name) { () throws(AuthError) in _ = try TextTemplates([name: text]) }
        }
        for (name, address) in mail.appLinks where old.appLinks[name] != address {
            try naming("mail.appLinks", name) { () throws(AuthError) in try requireAppLink(address, kind: name) }
        }
    }

    /// Settings by the names of kinds.
    static func byKind(_ texts: [String: String]) -> [MailKind: String] {
        Dictionary(uniqueKeysWithValues: texts.map { (MailKind(rawValue: $0.key), $0.value) })
    }

    /// The kinds of mail whose links may lead into an app.
    public static let linkedKinds = ["confirmation", "email_change", "invite", "magic_link", "recovery"]

    /// A scheme of an app's own (RFC 8252, section 7.1) or `https`, and neither one that a reader runs nor one that
    /// sends the proof in the clear.
    private static func requireAppLink(_ address: String, kind: String) throws(AuthError) {
        guard linkedKinds.contains(kind) else {
            throw AuthError(.invalidRequest, reason: "expected one of \(linkedKinds.joined(separator: ", "))")
        }
        let scheme = address.utf8.prefix { $0 != UInt8(ascii: ":") }.map { $0 }
        let isScheme =
            scheme.first.map { (97...122).contains($0) } == true
            && scheme.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || [43, 45, 46].contains($0) }
        let name = String(decoding: scheme, as: UTF8.self)
        let isPlain = address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !Array("\"'<>`\\{}|^#".utf8).contains($0) }
        guard isScheme, isPlain, address.utf8.count <= longestAddress, address.hasPrefix(name + "://"),
            address.utf8.count > name.utf8.count + 3,
            !["http", "ftp", "file", "ws", "wss", "javascript", "data", "vbscript", "blob", "about"].contains(name)
        else {
            throw AuthError(
                .invalidRequest, reason: "expected https://… or a scheme of the app's own, such as app://verify")
        }
    }

    private static func naming(
        _ setting: String, _ name: String, _ check: () throws(AuthError) -> Void
    ) throws(AuthError) {
        do {
            try check()
        } catch {
            throw AuthError(
                error.code, reason: "\(name.prefix(60)): \(error.reason ?? "can't be used")", field: setting)
        }
    }
}
