// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import ServerKit

extension AuthError {
    /// Whether it is about what was typed, or about a message that can't be sent now, and so said where it was typed.
    var isOfFactor: Bool {
        switch code {
        case .factorCodeInvalid, .factorCodeUsed, .factorLocked, .factorNotFound, .factorDisabled,
            .factorChallengeNotFound, .factorChallengeExpired, .mailRateLimited, .messageRateLimited,
            .textMessagesUnavailable, .factorExists, .tooManyFactors, .invalidPhone, .invalidEmail:
            true
        default: false
        }
    }
}

extension PageForm {
    /// With what is the matter with a code, at its field; while none is heard, with how long.
    func refusedFactor(_ error: AuthError) -> PageForm {
        if passkey != nil { return refusedAnswer(error) }
        var form = self
        if error.code == .factorLocked {
            let minutes = max(1, ((error.retryAfter?.microseconds ?? 0) + 59_999_999) / 60_000_000)
            form.refusals.append(call.text(.factorLocked, ["minutes": String(minutes)]))
            (form.status, form.wait) = (.tooManyRequests, error.retryAfter)
            if !form.fields.isEmpty { form.fields[0].describedBy = Self.refusalID }
            return form
        }
        guard !form.fields.isEmpty, error.retryAfter == nil else { return refused(error, secret: PageField.codeName) }
        form.fields[0].refusal = MessageCatalog.text(for: error, in: call.language)
        return form
    }
}

extension FactorProof {
    /// What the form brings of an authenticator.
    ///
    /// - Throws: ``AuthErrorCode/factorCodeInvalid``, ``AuthErrorCode/factorDisabled`` where the page's script did not
    ///   run.
    static func answer(_ call: PageCall, of factor: FactorID) throws(AuthError) -> FactorProof {
        guard let (challenge, answer) = try PasskeyAsking.answer(call) else {
            throw AuthError(.factorDisabled, reason: "no answer: the page's script did not run")
        }
        return .webAuthn(answer, of: factor, challenge: challenge)
    }
}

extension PageField {
    /// One of the codes that were written down.
    static func backupCode(_ call: PageCall) -> PageField {
        PageField(
            name: codeName, label: call.text(.backupCodeLabel), autocomplete: "one-time-code",
            attributes: #" autocapitalize="none" spellcheck="false""#, hint: call.text(.backupCodeHint))
    }
}
