// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import CCurl
import Dispatch

/// Sends mail by SMTP (RFC 5321) through libcurl, one mail a connection, on a queue of its own: a slow mail server
/// keeps no other work waiting.
public final class SMTPTransport: MailTransport {
    private let settings: SMTPSettings
    private let sender: EmailAddress
    private let queue = DispatchQueue(label: "mail.smtp")

    /// libcurl wants to be set up once, before any thread uses it.
    private static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// - Throws: ``AuthErrorCode/invalidEmail`` when the sender's address is not one.
    public init(_ settings: SMTPSettings) throws(AuthError) {
        self.settings = settings
        sender = try EmailAddress(settings.senderAddress)
    }

    public func send(_ mail: RenderedMail, at now: Instant) async throws(MailDeliveryError) {
        let message = MIMEMessage(mail: mail, sender: sender, senderName: settings.senderName, date: now).bytes
        let recipient = mail.recipient
        let failure: MailDeliveryError? = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.deliver(message, to: recipient)) }
        }
        if let failure { throw failure }
    }

    private func deliver(_ message: [UInt8], to recipient: EmailAddress) -> MailDeliveryError? {
        guard Self.isReady, let handle = curl_easy_init() else {
            return MailDeliveryError(.temporary, reason: "libcurl could not be set up")
        }
        defer { curl_easy_cleanup(handle) }
        let scheme = settings.security == .tls ? "smtps" : "smtp"
        latchkey_curl_set_string(handle, CURLOPT_URL, "\(scheme)://\(Self.authority(settings.host)):\(settings.port)")
        latchkey_curl_set_string(handle, CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        // No proxy from the environment: what it would see is the mail.
        latchkey_curl_set_string(handle, CURLOPT_PROXY, "")
        latchkey_curl_set_long(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        let level: Int =
            switch settings.security {
            case .startTLS, .tls: Int(CURLUSESSL_ALL.rawValue)
            case .opportunistic: Int(CURLUSESSL_TRY.rawValue)
            case .none: Int(CURLUSESSL_NONE.rawValue)
            }
        latchkey_curl_set_long(handle, CURLOPT_USE_SSL, level)
        if let username = settings.username {
            latchkey_curl_set_string(handle, CURLOPT_USERNAME, username)
            latchkey_curl_set_string(handle, CURLOPT_PASSWORD, settings.password?.reveal() ?? "")
        }
        if let file = settings.authorityFile { latchkey_curl_set_string(handle, CURLOPT_CAINFO, file) }
        latchkey_curl_set_string(handle, CURLOPT_MAIL_FROM, "<\(sender.rawValue)>")
        let recipients = curl_slist_append(nil, "<\(recipient.rawValue)>")
        defer { curl_slist_free_all(recipients) }
        latchkey_curl_set_list(handle, CURLOPT_MAIL_RCPT, recipients)
        // Zero would mean no limit at all. The last one holds for the goodbye too.
        let timeout = min(max(1, settings.timeoutSeconds), 3600)
        latchkey_curl_set_long(handle, CURLOPT_TIMEOUT, timeout)
        latchkey_curl_set_long(handle, CURLOPT_CONNECTTIMEOUT, min(10, timeout))
        latchkey_curl_set_long(handle, CURLOPT_SERVER_RESPONSE_TIMEOUT, timeout)
        latchkey_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)

        let (result, isSent) = message.withUnsafeBytes { bytes in
            var upload = latchkey_upload(bytes: bytes.baseAddress, count: bytes.count, offset: 0)
            let result = latchkey_curl_send(handle, &upload)
            return (result, upload.offset > 0)
        }
        guard result != CURLE_OK else { return nil }
        let reply = latchkey_curl_response_code(handle)
        // Only what a server says of the mail itself is final: of its sender, its recipient (both a "send error" to
        // libcurl) or its content. A refused greeting, upgrade or password is the operator's to mend, and the mail
        // waits; so does one whose sender is refused for want of a password or of TLS.
        let isOfTheMail = (result == CURLE_SEND_ERROR || isSent) && !Self.repliesOfAccess.contains(reply)
        return MailDeliveryError(
            isOfTheMail && (500..<600).contains(reply) ? .permanent : .temporary,
            replyCode: (400..<600).contains(reply) ? reply : nil, reason: String(cString: curl_easy_strerror(result)))
    }

    /// What the client has not proved, at whichever command that is said (RFC 4954, section 6; RFC 3207, section 4).
    private static let repliesOfAccess: Set<Int> = [530, 534, 535, 538]

    /// An IPv6 address goes in brackets (RFC 3986, section 3.2.2).
    private static func authority(_ host: String) -> String {
        host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    }
}
