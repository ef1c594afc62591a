// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// What the service's error codes are in the domain's words (G-15.8). A refusal by a code that is not here keeps its
/// name; with a status of 5xx it is a fault of the server, and the name stands in the error's reason.
enum SupabaseErrors {
    /// What an answer other than a success says.
    ///
    /// - Parameter refreshing: whether it answers a refresh, of which only a word about the session or the user may end
    ///   it.
    static func error(in response: HTTPResponse, _ members: JSONObject?, refreshing: Bool) -> AuthError {
        guard (400...599).contains(response.status), let members else { return AuthError(noAnswer: response) }
        guard let said = word(in: members) ?? response.header("x-sb-error-code") else {
            // What stands before the service refuses keys without a code.
            if response.status == 401, members["message"] != nil { return AuthError(.apiKeyInvalid) }
            return inWords(response, members, refreshing: refreshing) ?? AuthError(noAnswer: response)
        }
        var code = self.code(for: said, status: response.status)
        if refreshing {
            code = refusal(of: said, as: code, members)
        } else if said == "invalid_grant", let meant = self.code(inWords: members["error_description"]) {
            code = meant
        }
        if response.status >= 500, code.endsSession { code = .unavailable }
        if code == .termsNotAgreed {
            return AuthError(termsNotAgreed: (members["msg"] ?? members["message"])?.stringValue)
        }
        return AuthError(
            code, reason: readable(said), retryAfter: response.retryAfter ?? wait(in: members),
            violations: violations(in: members))
    }

    /// What a redirect says: an `error_code` of the service, else what a provider answered (RFC 6749, section 4.1.2.1).
    static func error(code: String?, error: String, description: String?) -> AuthError {
        // A number is the status, of a server from before there were codes.
        guard let code, Int(code) == nil else {
            let plain = AuthError(refusedAtAuthorization: error, description: description)
            guard code != nil, let meant = self.code(inWords: description.map { .string($0) }) else { return plain }
            return AuthError(meant, reason: plain.reason)
        }
        return AuthError(self.code(for: code, status: 400), reason: readable(code))
    }

    static func code(for said: String, status: Int) -> AuthErrorCode {
        if let code = table[said] { return code }
        if status == 429 { return .rateLimited }
        return status < 500 ? AuthErrorCode(unknownWord: said) : .internalFailure
    }

    /// The members of both forms of errors, and OAuth's.
    private static func word(in members: JSONObject) -> String? {
        members["error_code"]?.stringValue ?? members["code"]?.stringValue ?? members["error"]?.stringValue
    }

    /// A refresh shows nothing but its token and the project's key: what is not valid is one of these.
    private static func refusal(of said: String, as code: AuthErrorCode, _ members: JSONObject) -> AuthErrorCode {
        switch said {
        case "validation_failed": .refreshTokenNotFound
        case "invalid_grant": self.code(ofRefusedRefresh: members["error_description"])
        case "bad_jwt", "no_authorization", "not_admin": .apiKeyInvalid
        default: code
        }
    }

    /// Of printable ASCII and bounded: it is somebody else's.
    private static func readable(_ said: String) -> String {
        String(said.unicodeScalars.prefix(100).filter { (0x21...0x7E).contains($0.value) }.map(Character.init))
    }

    /// How long to wait, which the service says in its text alone: "… after 42 seconds".
    static func wait(in members: JSONObject) -> TimeSpan? {
        let text = members["message"]?.stringValue ?? members["msg"]?.stringValue ?? ""
        let words = text.utf8.prefix(300).split(separator: UInt8(ascii: " "))
        guard let unit = words.lastIndex(where: { $0.starts(with: "second".utf8) }), unit > 0,
            let seconds = Int64(String(decoding: words[unit - 1], as: UTF8.self)), (0...86_400).contains(seconds)
        else { return nil }
        return .seconds(seconds)
    }

    private static func violations(in members: JSONObject) -> [PasswordViolation] {
        let reasons = members["weak_password"]?.objectValue?["reasons"]?.arrayValue ?? []
        return reasons.prefix(10).compactMap { reason in
            switch reason.stringValue {
            case "length": .minimumLength
            case "characters": .characters
            case "pwned": .common
            default: nil
            }
        }
    }
}
