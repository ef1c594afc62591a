// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a hook is told that sends a mail or a text message ("Send Email Hook", "Send SMS Hook", Supabase
/// documentation).
enum HookMessage {
    /// What the platform calls a kind of mail, where that is not what it is called here.
    private static let actions: [String: String] = [
        "confirmation": "signup", "magic_link": "magiclink", "email_change_current": "email_change",
        "email_change_new": "email_change", "password_changed": "password_changed_notification",
        "email_changed": "email_changed_notification", "phone_changed": "phone_changed_notification",
        "identity_linked": "identity_linked_notification", "identity_unlinked": "identity_unlinked_notification",
        "factor_added": "mfa_factor_enrolled_notification", "factor_removed": "mfa_factor_unenrolled_notification",
    ]

    /// A change of address is two mails here, each with a proof of its own: none has a second one.
    static func emailData(_ letter: Letter, in directory: Directory) -> JSONObject {
        [
            "token": .string(letter.code ?? ""), "token_hash": .string(letter.tokenHash ?? ""),
            "redirect_to": .string(letter.link.flatMap { redirect(in: $0) } ?? ""),
            "email_action_type": .string(actions[letter.kind] ?? letter.kind),
            "site_url": .string(directory.settings.siteURL ?? ""), "token_new": "", "token_hash_new": "",
            "old_email": "", "old_phone": "", "provider": "", "factor_type": "",
            // No members of the platform's: whom it goes to, and what would be sent without the hook. Some mails here
            // are none of the platform's, and lead where only their link says.
            "to": .string(letter.recipient), "link": .string(letter.link ?? ""),
            "subject": .string(letter.subject), "text": .string(letter.text),
        ]
    }

    static func sms(_ letter: Letter) -> JSONObject {
        [
            "otp": .string(letter.code ?? ""), "sms_type": .string(letter.kind),
            "phone": .string(letter.recipient), "text": .string(letter.text),
        ]
    }

    private static func redirect(in link: String) -> String? {
        guard let start = link.firstRange(of: "redirect_to=")?.upperBound else { return nil }
        return decoded(link[start...].prefix { $0 != "&" && $0 != "#" }.utf8)
    }

    /// As this server writes its links: what is not percent-encoded stands for itself.
    private static func decoded(_ text: some Collection<UInt8>) -> String {
        var (bytes, rest) = ([UInt8](), ArraySlice(text))
        while let first = rest.popFirst() {
            if first == UInt8(ascii: "%"), let octet = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(octet)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(first)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
