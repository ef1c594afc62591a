// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// What the service's error codes are in the domain's words. A refusal by a code that is not here keeps its name; with
/// a status of 5xx it is a fault of the server, and the name stands in the error's reason.
enum FirebaseErrors {
    /// What an answer other than a success says: `{"error": {"message": "CODE : text"}}`.
    ///
    /// - Parameter refreshing: whether it answers a refresh, of which only a word about the session or the user may end
    ///   it.
    static func error(in response: HTTPResponse, _ members: JSONObject?, refreshing: Bool) -> AuthError {
        guard (400...599).contains(response.status), let error = members?["error"]?.objectValue,
            let message = error["message"]?.stringValue
        else { return AuthError(noAnswer: response) }
        if isAboutKey(error, message) { return AuthError(.apiKeyInvalid, reason: "the API key is refused") }
        let said = code(in: message)
        if said == "BLOCKING_FUNCTION_ERROR_RESPONSE", let terms = terms(in: message) { return terms }
        var code = self.code(for: said, status: response.status)
        if refreshing {
            code = refusals[said] ?? (code.endsSession ? .internalFailure : code)
        }
        if response.status >= 500, !refreshing || code.endsSession { code = .unavailable }
        return AuthError(
            code, reason: isCode(said) ? said : AuthError.readable(message), retryAfter: response.retryAfter,
            violations: violations(said, in: message))
    }

    static func code(for said: String, status: Int) -> AuthErrorCode {
        if let code = table[said] { return code }
        if status == 429 { return .rateLimited }
        // Its codes are in capitals; any other first word begins a sentence.
        return status < 500 && isCode(said) ? AuthErrorCode(unknownWord: said) : .internalFailure
    }

    /// What a function of the operator's has answered stands in the text as an object. One that this library knows says
    /// that terms are to be agreed to, and where.
    private static func terms(in message: String) -> AuthError? {
        guard let start = message.utf8.firstIndex(of: UInt8(ascii: "{")), message.utf8.count <= 16 << 10,
            let answer = try? JSONObject(parsing: message[start...].utf8, limits: JSONLimits(depth: 8, members: 100)),
            let details = answer["error"]?.objectValue?["details"]?.objectValue, details["code"] == "terms_not_agreed"
        else { return nil }
        return AuthError(termsNotAgreed: details["page"]?.stringValue)
    }

    /// The first word: what follows it is for people, and in no form that is kept.
    private static func code(in message: String) -> String {
        String(
            message.unicodeScalars.prefix(100).prefix { (0x21...0x7E).contains($0.value) && $0 != ":" }
                .map(Character.init))
    }

    /// Not where the service speaks in sentences, or says nothing.
    private static func isCode(_ said: String) -> Bool {
        !said.isEmpty && said.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }

    private static func isAboutKey(_ error: JSONObject, _ message: String) -> Bool {
        // The older form of a reason, and that of Google's APIs by now (`google.rpc.ErrorInfo`):
        // `API_KEY_IOS_APP_BLOCKED`.
        let reasons = ["errors", "details"].flatMap { (error[$0]?.arrayValue ?? []).prefix(5) }.compactMap {
            $0.objectValue?["reason"]?.stringValue
        }
        let refused = reasons.contains { reason in
            ["keyInvalid", "ipRefererBlocked", "API_KEY_"].contains { reason.hasPrefix($0) }
        }
        return refused || message.hasPrefix("API key ") || message.contains("valid API key")
            || message.hasPrefix("API_KEY_")
    }

    /// What a refresh is refused with for good. A token of this service does not grow old: one that is `TOKEN_EXPIRED`
    /// was taken back by a new password, an operator or the user.
    private static let refusals: [String: AuthErrorCode] = [
        "TOKEN_EXPIRED": .tokensRevoked, "USER_DISABLED": .userBanned, "USER_NOT_FOUND": .userNotFound,
        "INVALID_REFRESH_TOKEN": .refreshTokenNotFound, "MISSING_REFRESH_TOKEN": .refreshTokenNotFound,
    ]

    /// The rules that a password broke stand in the text alone.
    private static func violations(_ said: String, in message: String) -> [PasswordViolation] {
        switch said {
        case "WEAK_PASSWORD": return [.minimumLength]
        case "PASSWORD_DOES_NOT_MEET_REQUIREMENTS":
            let text = String(message.prefix(1000))
            let words: [(String, PasswordViolation)] = [
                ("at least", .minimumLength), ("at most", .maximumLength), ("upper case", .uppercase),
                ("lower case", .lowercase), (" numeric", .number), ("non-alphanumeric", .symbol),
            ]
            return words.compactMap { text.contains($0.0) ? $0.1 : nil }
        default: return []
        }
    }
}
