// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// Second factors of who is signed in. The service knows kinds and not factors: an authenticator app or none, and text
/// messages or mail to the account's own number or address. It raises no session that is there: the user signs in anew
/// (``reauthenticate(_:with:)``).
extension CognitoBackend: SecondFactorBackend {
    /// `GetUser`.
    public func secondFactors(_ tokens: TokenSet) async throws(AuthError) -> SecondFactors {
        let answer = try await api.call(
            "GetUser", ["AccessToken": .string(tokens.accessToken.reveal())], for: .account)
        let preferred = answer.members["PreferredMfaSetting"]?.stringValue
        let words = answer.members["UserMFASettingList"]?.arrayValue?.compactMap(\.stringValue) ?? []
        var attributes: [String: String] = [:]
        for attribute in answer.members["UserAttributes"]?.arrayValue ?? [] {
            guard let name = attribute.objectValue?["Name"]?.stringValue else { continue }
            attributes[name] = attribute.objectValue?["Value"]?.stringValue
        }
        return SecondFactors(
            factors: words.prefix(20).compactMap { word in
                guard let kind = FactorKind(pool: word) else { return nil }
                return SecondFactor(
                    id: word, kind: kind,
                    destination: kind == .phone
                        ? attributes["phone_number"] : kind == .email ? attributes["email"] : nil,
                    isPreferred: word == preferred)
            })
    }

    /// An authenticator app by `AssociateSoftwareToken`; text messages and mail are switched on, for the number or
    /// address that the account has proved.
    public func enrol(_ factor: NewSecondFactor, _ tokens: TokenSet) async throws(AuthError) -> EnrolmentStep {
        switch factor.kind {
        case .authenticator:
            let answer = try await api.call(
                "AssociateSoftwareToken", ["AccessToken": .string(tokens.accessToken.reveal())], for: .account)
            return .awaiting(try Self.enrolment(factor, of: answer))
        case .phone, .email:
            try await prefer(factor.kind, isEnabled: true, tokens)
            return .done(nil)
        case .securityKey, .passkey, .backupCode, .password:
            throw AuthError(.unsupported, reason: "the pool has no such second factor")
        }
    }

    /// `VerifySoftwareToken`, and then the preference by which a sign-in asks for it.
    public func confirm(
        _ enrolment: FactorEnrolment, with code: Secret<String>, _ tokens: TokenSet
    ) async throws(AuthError) -> SessionGrant? {
        var input: JSONObject = [
            "AccessToken": .string(tokens.accessToken.reveal()), "UserCode": .string(code.reveal()),
        ]
        if let name = enrolment.ticket.reveal()["name"] { input["FriendlyDeviceName"] = .string(name) }
        let answer: CognitoAPI.Answer
        do throws(AuthError) { answer = try await api.call("VerifySoftwareToken", input, for: .account) } catch {
            // A code that is wrong here is a factor's; all else is about the access token.
            throw error.code == .oneTimeTokenInvalid ? AuthError(.factorCodeInvalid, reason: error.reason) : error
        }
        guard answer.members["Status"] == "SUCCESS" else { throw AuthError(.factorCodeInvalid) }
        try await prefer(.authenticator, isEnabled: true, tokens)
        return nil
    }

    /// The service forgets no app's secret; it asks for no code of it any more.
    public func removeFactor(_ id: String, _ tokens: TokenSet) async throws(AuthError) -> SessionGrant? {
        guard let kind = FactorKind.preferences.first(where: { $0.word == id })?.kind else {
            throw AuthError(.factorNotFound)
        }
        try await prefer(kind, isEnabled: false, tokens)
        return nil
    }

    /// `SetUserMFAPreference` of one kind alone: the others stay as they are.
    private func prefer(_ kind: FactorKind, isEnabled: Bool, _ tokens: TokenSet) async throws(AuthError) {
        guard let member = FactorKind.preferences.first(where: { $0.kind == kind })?.member else {
            throw AuthError(.unsupported)
        }
        _ = try await api.call(
            "SetUserMFAPreference",
            [
                "AccessToken": .string(tokens.accessToken.reveal()),
                member: ["Enabled": .bool(isEnabled), "PreferredMfa": false],
            ], for: .account)
    }
}
