// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Whom mails come from, as a mail service's API reads it: a name in quotes and an address.
struct MailSender: Sendable {
    let address: EmailAddress
    let name: String?

    /// `"Name" <address>` (RFC 5322, section 3.4), in which a name can't end its quotes or the line.
    var text: String {
        guard let name, !name.isEmpty else { return address.rawValue }
        var quoted = ""
        for scalar in name.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted.unicodeScalars.append("\\") }
            quoted.unicodeScalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return "\"\(quoted)\" <\(address.rawValue)>"
    }
}
