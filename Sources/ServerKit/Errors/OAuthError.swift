// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes

/// An error as OAuth says it (RFC 6749, sections 4.1.2.1 and 5.2; RFC 6750, section 3.1), in whichever dialect's words
/// it is then sent.
public struct OAuthError: Error, Sendable, Equatable {
    public var status: HTTPResponse.Status
    public var code: String
    /// For the client's developer.
    public var description: String
    /// What a `401` or a `403` asks for; `nil` for none.
    public var challenge: String?
    public var retryAfter: TimeSpan?
    /// What the next proof of a key is to have (RFC 9449, section 8).
    public var nonce: String?
    /// What people are told of it; `nil` for what ``code`` means to them.
    public var told: AuthError?

    public init(
        _ status: HTTPResponse.Status, _ code: String, _ description: String, challenge: String? = nil,
        retryAfter: TimeSpan? = nil
    ) {
        self.status = status
        self.code = code
        self.description = Self.printable(description)
        self.challenge = challenge
        self.retryAfter = retryAfter
    }

    /// RFC 6749, section 5.2: `%x20-21 / %x23-5B / %x5D-7E`. What comes of what a client sent must not end the text.
    private static func printable(_ text: String) -> String {
        let kept = text.utf8.prefix(300).filter { (32...126).contains($0) && $0 != 0x22 && $0 != 0x5C }
        return String(decoding: kept, as: UTF8.self)
    }

    /// What people are told of it: beside ``description``, which is for the client's developer and in ASCII, as members
    /// of our own, which clients read past. `nil` for what a client does something about by itself.
    package func localized(in language: MessageLanguage) -> LocalizedMessage? {
        let said = told ?? Self.meaning(of: code).map { AuthError($0) }
        return said.map { LocalizedMessage($0, in: language) }
    }

    /// Adds what people are told to the body of an answer.
    public func tell(in language: MessageLanguage, _ body: inout JSONObject) {
        guard let message = localized(in: language) else { return }
        body["message_key"] = .string(message.key.rawValue)
        body["localized_message"] = .string(message.text)
    }

    private static func meaning(of code: String) -> AuthErrorCode? {
        switch code {
        case "authorization_pending", "slow_down", "use_dpop_nonce": nil
        case "invalid_client": .clientNotFound
        case "invalid_grant": .refreshTokenNotFound
        case "invalid_token": .tokenInvalid
        case "unauthorized_client": .flowNotAllowed
        case "unsupported_grant_type", "unsupported_token_type": .unsupported
        case "access_denied", "insufficient_scope": .forbidden
        case "insufficient_user_authentication": .insufficientAssurance
        case "expired_token": .flowStateExpired
        case "temporarily_unavailable": .unavailable
        case "server_error": .internalFailure
        case "not_found": .notFound
        default: .invalidRequest
        }
    }

    /// A parameter's name in a description: names are the client's own words.
    public static func name(_ name: String) -> String { printable(String(name.prefix(40))) }
}
