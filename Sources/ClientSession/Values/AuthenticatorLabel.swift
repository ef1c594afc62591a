// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What an authenticator app shows beside a code.
public struct AuthenticatorLabel: Sendable, Hashable {
    /// The app's or its company's name.
    public var issuer: String
    /// Whose account it is, such as the address.
    public var account: String

    /// Two lines of an authenticator app.
    public init(issuer: String, account: String) {
        self.issuer = issuer
        self.account = account
    }

    /// The address that authenticator apps open, for services that give the secret alone: six digits by HMAC-SHA-1,
    /// each for 30 seconds, which is what all of them take (Google Authenticator's Key URI Format).
    ///
    /// - Parameter secret: in Base32. What is beside its alphabet is left out.
    public func uri(of secret: Secret<String>) -> Secret<String> {
        // A colon would end the issuer.
        let issuer = PercentEncoding.encode(issuer.utf8.filter { $0 != UInt8(ascii: ":") })
        let account = PercentEncoding.encode(account.utf8)
        let letters = secret.reveal().utf8.filter {
            switch $0 {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "2")...UInt8(ascii: "7"): true
            default: false
            }
        }
        let text = String(decoding: Array(letters), as: UTF8.self)
        return Secret(
            "otpauth://totp/\(issuer):\(account)?secret=\(text)&issuer=\(issuer)&algorithm=SHA1&digits=6&period=30")
    }
}
