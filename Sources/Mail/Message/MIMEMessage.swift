// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A mail as it goes over the wire (RFC 5322, RFC 2045, RFC 2046): plain text, and HTML as the alternative.
struct MIMEMessage {
    let mail: RenderedMail
    let sender: EmailAddress
    let senderName: String?
    let date: Instant

    var bytes: [UInt8] {
        var lines = [
            "Date: " + Self.date(date),
            "From: " + mailbox(sender, senderName),
            "To: <\(mail.recipient.rawValue)>",
            "Message-ID: <\(identifier)@\(sender.domain)>",
            "Subject: " + HeaderText.encoded(mail.subject),
            "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0",
        ]
        if let html = mail.html {
            let boundary = "=_latchkey_" + identifier
            lines.append("Content-Type: multipart/alternative; boundary=\"\(boundary)\"")
            lines += ["", "--" + boundary] + Self.part(mail.text, "plain")
            lines += ["--" + boundary] + Self.part(html, "html")
            lines += ["--" + boundary + "--", ""]
        } else {
            lines += Self.part(mail.text, "plain")
        }
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    /// At most 50 characters: a boundary has 70 (RFC 2046, section 5.1.1).
    private var identifier: String {
        String(mail.id.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }.prefix(50))
    }

    /// A name has a line of its own: with the address behind it, it could be too long (RFC 2047, section 2).
    private func mailbox(_ address: EmailAddress, _ name: String?) -> String {
        guard let name, !HeaderText.oneLine(name).isEmpty else { return "<\(address.rawValue)>" }
        return HeaderText.displayName(name) + "\r\n <\(address.rawValue)>"
    }

    /// Base64 in lines of 76: no line of the body can be too long, begin with a dot, or pass for a boundary.
    private static func part(_ content: String, _ type: String) -> [String] {
        var lines = ["Content-Type: text/\(type); charset=utf-8", "Content-Transfer-Encoding: base64", ""]
        var rest = canonical(content)[...]
        while !rest.isEmpty {
            lines.append(Base64.encode(rest.prefix(57)))
            rest = rest.dropFirst(57)
        }
        return lines
    }

    /// With CRLF at the end of each line, however it ended (RFC 2046, section 4.1.1).
    private static func canonical(_ content: String) -> [UInt8] {
        var octets: [UInt8] = []
        var previous: UInt8 = 0
        for octet in content.utf8 {
            switch octet {
            case 13: octets += [13, 10]
            case 10 where previous == 13: break
            case 10: octets += [13, 10]
            default: octets.append(octet)
            }
            previous = octet
        }
        return octets
    }

    /// RFC 5322, section 3.3, in UTC.
    private static func date(_ instant: Instant) -> String {
        let text = instant.rfc3339
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let number = Int(text.dropFirst(5).prefix(2)) ?? 1
        // Floors, before 1970 too.
        let secondOfDay = (instant.seconds % 86_400 + 86_400) % 86_400
        let weekday = Int(((instant.seconds - secondOfDay) / 86_400 % 7 + 7) % 7)
        let day = text.dropFirst(8).prefix(2)
        let year = text.prefix(4)
        let time = text.dropFirst(11).prefix(8)
        return "\(days[weekday]), \(day) \(months[max(1, min(12, number)) - 1]) \(year) \(time) +0000"
    }
}
