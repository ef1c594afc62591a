// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// Second factors as the platform's clients know them: those of text messages and of authenticator apps. SDKs fail on
/// any other, so that no other is shown.
enum FactorInfo {
    /// The word for a factor in ID tokens; `nil` for what the platform has none for.
    static func word(for method: AuthenticationMethod.Name) -> String? {
        switch method {
        case .totp: "totp"
        case .phoneFactor: "phone"
        default: nil
        }
    }

    /// Whether it is one of those that count and that clients know.
    static func isShown(_ factor: Factor) -> Bool {
        guard factor.isVerified, factor.isEnabled else { return false }
        switch factor.credential {
        case .totp, .phone: return true
        case .email, .webAuthn, .newWebAuthn, .unreadable: return false
        }
    }

    /// An element of `mfaInfo`. Which kind it is clients see from which member is there.
    ///
    /// - Parameter conceals: whether a number is shown by its end alone: to who has not shown both factors yet.
    static func encode(_ factor: Factor, conceals: Bool = false) -> JSONObject {
        var json: JSONObject = ["mfaEnrollmentId": .string(factor.id.rawValue)]
        json["displayName"] = UserInfo.text(factor.name.map { .string($0) })
        json["enrolledAt"] = factor.verifiedAt.map { .string($0.rfc3339Milliseconds) }
        if case .phone(let number) = factor.credential {
            json["phoneInfo"] = .string(conceals ? concealed(number.e164) : number.e164)
            if !conceals { json["unobfuscatedPhoneInfo"] = .string(number.e164) }
        } else {
            json["totpInfo"] = [:]
        }
        return json
    }

    /// Adds what a client asks its user for a second factor by.
    ///
    /// - Throws: ``AuthErrorCode/secondFactorRequired`` for a user all of whose factors the platform has no form for.
    static func ask(_ pending: PendingSignIn, by json: inout JSONObject) throws(AuthError) {
        let factors = pending.choices.factors.filter(isShown)
        guard !factors.isEmpty else { throw AuthError(.secondFactorRequired) }
        json["mfaPendingCredential"] = .string(pending.ticket.reveal())
        json["mfaInfo"] = .array(factors.map { .object(encode($0, conceals: true)) })
    }

    /// `+*******0100`
    private static func concealed(_ number: String) -> String {
        let shown = 4
        let hidden = max(0, number.utf8.count - 1 - shown)
        return "+" + String(repeating: "*", count: hidden) + number.suffix(min(shown, number.utf8.count - 1))
    }
}
