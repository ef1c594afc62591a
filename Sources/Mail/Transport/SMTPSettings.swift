// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// How to reach a mail server.
public struct SMTPSettings: Sendable {
    public enum Security: String, Sendable, CaseIterable {
        /// STARTTLS, or nothing is sent (RFC 3207).
        case startTLS = "starttls"
        /// TLS from the first byte (RFC 8314).
        case tls
        /// STARTTLS where the server offers it. Where it does not, the mail and the password go in the clear: for a
        /// server on the same machine or network.
        case opportunistic
        case none
    }

    public var host: String
    public var port: Int
    public var username: String?
    public var password: Secret<String>?
    public var security: Security
    public var senderName: String?
    public var senderAddress: String
    public var timeoutSeconds: Int
    /// A file of further trusted certificates, in PEM.
    public var authorityFile: String?

    public init(
        host: String, port: Int, username: String? = nil, password: Secret<String>? = nil,
        security: Security = .startTLS, senderName: String? = nil, senderAddress: String, timeoutSeconds: Int = 30,
        authorityFile: String? = nil
    ) {
        self.host = host
        self.port = port
        self.username = username
        self.password = password
        self.security = security
        self.senderName = senderName
        self.senderAddress = senderAddress
        self.timeoutSeconds = timeoutSeconds
        self.authorityFile = authorityFile
    }
}
