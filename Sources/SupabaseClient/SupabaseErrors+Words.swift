// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

// Servers from before there were error codes say what they refuse in words alone: `{"code": 422, "msg": "User already
// registered"}`, and `{"error": "invalid_grant", "error_description": "Email not confirmed"}`. Nobody changes them any
// more.
extension SupabaseErrors {
    /// What such an answer says. `nil` for one that no such server has given: its `code` is the status.
    static func inWords(_ response: HTTPResponse, _ members: JSONObject, refreshing: Bool) -> AuthError? {
        guard (400...499).contains(response.status), let words = members["msg"]?.stringValue,
            members["code"]?.integerValue == Int64(response.status)
        else { return nil }
        var code = code(inWords: .string(words)) ?? code(ofStatus: response.status)
        // A refresh that ends a session is refused in the other form.
        if refreshing, code.endsSession { code = .internalFailure }
        return AuthError(
            code, reason: AuthError.readable(words), retryAfter: response.retryAfter ?? wait(in: members))
    }

    /// `nil` for words that say nothing more than the status or the error beside them.
    static func code(inWords words: JSONValue?) -> AuthErrorCode? {
        guard let text = words?.stringValue.map({ String($0.unicodeScalars.prefix(300).map(Character.init)) }) else {
            return nil
        }
        return phrases.first { text.contains($0.0) }?.1
    }

    /// What such a server refuses a refresh with, behind `Invalid Refresh Token: `.
    static func code(ofRefusedRefresh words: JSONValue?) -> AuthErrorCode {
        let text = words?.stringValue ?? ""
        let meanings: [(String, AuthErrorCode)] = [
            ("Already Used", .refreshTokenReused), ("User Banned", .userBanned), ("Session Expired", .sessionExpired),
        ]
        return meanings.first { text.contains($0.0) }?.1 ?? .refreshTokenNotFound
    }

    private static func code(ofStatus status: Int) -> AuthErrorCode {
        switch status {
        case 401: .tokenInvalid
        case 403: .forbidden
        case 429: .rateLimited
        default: .invalidRequest
        }
    }

    /// In this order: a later one may be part of an earlier one.
    private static let phrases: [(String, AuthErrorCode)] = [
        ("already registered", .emailExists), ("email address has already been registered", .emailExists),
        ("phone number has already been registered", .phoneExists),
        ("Email not confirmed", .emailNotVerified), ("Phone not confirmed", .phoneNotVerified),
        ("Signups not allowed for otp", .oneTimeCodesDisabled), ("Signups not allowed", .signUpDisabled),
        ("has expired or is invalid", .oneTimeTokenInvalid), ("is invalid or has expired", .oneTimeTokenInvalid),
        ("Password should be", .weakPassword), ("different from the old password", .samePassword),
        ("requires reauthentication", .reauthenticationNeeded), ("no valid flow state", .flowStateNotFound),
        ("state has expired", .flowStateExpired), ("code challenge does not match", .codeVerifierMismatch),
        ("Email logins are disabled", .emailSignInDisabled), ("Email signups are disabled", .emailSignInDisabled),
        ("Phone logins are disabled", .phoneSignInDisabled), ("Phone signups are disabled", .phoneSignInDisabled),
        ("For security purposes", .mailRateLimited),
    ]
}
