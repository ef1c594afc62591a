// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird

/// `/passkeys`: signing in by one, and those of whoever is signed in.
enum PasskeyEndpoints {
    private static let mostOfName = 120

    // MARK: Signing in

    /// `POST /passkeys/authentication/options`
    static func authenticationOptions(_ call: DialectCall) async throws -> Response {
        try await managed { answer(try await call.accounts.passkeySignIn.begin(call: call.flow)) }
    }

    /// `POST /passkeys/authentication/verify`
    static func authenticationVerify(_ call: DialectCall) async throws -> Response {
        let (challenge, credential) = try shown(call)
        do {
            return try await call.answer(
                call.accounts.passkeySignIn(challenge, credential, call: call.flow))
        } catch let error as AuthError {
            switch error.code {
            case .emailNotVerified: throw WireError(.forbidden, "email_not_confirmed", "Email not confirmed")
            case .phoneNotVerified: throw WireError(.forbidden, "phone_not_confirmed", "Phone not confirmed")
            case .userBanned: throw WireError(.forbidden, "user_banned", "User is banned")
            default: throw said(error)
            }
        }
    }

    // MARK: Adding one

    /// `POST /passkeys/registration/options`
    static func registrationOptions(_ call: DialectCall) async throws -> Response {
        let user = try FactorEndpoints.known(call)
        return try await managed {
            answer(try await call.accounts.registerPasskey.begin(for: user, call: call.flow))
        }
    }

    /// `POST /passkeys/registration/verify`
    static func registrationVerify(_ call: DialectCall) async throws -> Response {
        let user = try FactorEndpoints.known(call)
        let (challenge, credential) = try shown(call)
        let passkey = try await managed {
            try await call.accounts.registerPasskey.complete(challenge, credential, of: user, call: call.flow)
        }
        var json = encode(passkey)
        json["last_used_at"] = nil
        return Answer.object(json)
    }

    // MARK: Keeping them

    /// `GET /passkeys`
    static func list(_ call: DialectCall) async throws -> Response {
        try await answer(call.user().user.id, call)
    }

    /// `PATCH /passkeys/{id}`
    static func update(_ call: DialectCall) async throws -> Response {
        let user = try call.user()
        let id = try passkeyID(call)
        guard let name = try call.body.text("friendly_name") else {
            throw WireError.validation("friendly_name is required")
        }
        guard name.utf8.count <= mostOfName else {
            throw WireError.validation("friendly_name must be 120 characters or less")
        }
        return Answer.object(
            encode(
                try await managed {
                    try await call.accounts.userPasskeys.rename(id, to: name, of: user, call: call.flow)
                }))
    }

    /// `DELETE /passkeys/{id}`
    static func delete(_ call: DialectCall) async throws -> Response {
        let user = try call.user()
        let id = try passkeyID(call)
        _ = try await managed { try await call.accounts.userPasskeys.remove(id, of: user, call: call.flow) }
        return Response(status: .noContent)
    }

    // MARK: Administration, whether or not they are switched on

    /// `GET /admin/users/{id}/passkeys`
    static func listOfUser(_ call: DialectCall) async throws -> Response {
        let id = try await AdminUserEndpoints.userID(call)
        _ = try await call.accounts.userAdministration.get(id, call: call.flow)
        return try await answer(id, call)
    }

    /// `DELETE /admin/users/{id}/passkeys/{id}`
    static func deleteOfUser(_ call: DialectCall) async throws -> Response {
        let user = try await AdminUserEndpoints.userID(call)
        _ = try await call.accounts.userAdministration.get(user, call: call.flow)
        let id = try passkeyID(call)
        _ = try await managed { try await call.accounts.userPasskeys.remove(id, from: user, call: call.flow) }
        return Response(status: .noContent)
    }

    // MARK: Form

    static func requireEnabled(_ directory: Directory) throws(WireError) {
        guard directory.settings.passkeys.enabled else {
            throw WireError(.notFound, "passkey_disabled", "Passkeys are disabled")
        }
    }

    /// The options as browsers take them, without the member around them that the second factors' have.
    private static func answer(_ question: WebAuthnQuestion) -> Response {
        Answer.object([
            "challenge_id": .string(question.challenge.id.rawValue), "options": .object(question.options),
            "expires_at": .integer(question.challenge.expiresAt.seconds),
        ])
    }

    private static func answer(_ user: UserID, _ call: DialectCall) async throws -> Response {
        let passkeys = try await call.accounts.userPasskeys.list(of: user, call: call.flow)
        return Answer.json(.array(passkeys.map { .object(encode($0)) }))
    }

    private static func encode(_ passkey: Factor) -> JSONObject {
        var json: JSONObject = [
            "id": .string(passkey.id.rawValue), "friendly_name": .string(passkey.name ?? "Passkey"),
            "created_at": .string(passkey.createdAt.rfc3339),
        ]
        json["last_used_at"] = passkey.lastUsedAt.map { .string($0.rfc3339) }
        return json
    }

    private static func shown(_ call: DialectCall) throws -> (FactorChallengeID, JSONObject) {
        guard let challenge = try call.body.text("challenge_id") else {
            throw WireError.validation("challenge_id is required")
        }
        guard let credential = call.body.object["credential"] else {
            throw WireError.validation("credential is required")
        }
        guard UUIDText.accepts(challenge) else { throw WireError.validation("challenge_id must be a valid UUID") }
        // What is no answer at all is one that does not hold, and spends its challenge as there.
        return (FactorChallengeID(challenge.lowercased()), credential.objectValue ?? [:])
    }

    private static func passkeyID(_ call: DialectCall) throws(WireError) -> FactorID {
        guard let text = call.partID, UUIDText.accepts(text) else { throw missing }
        return FactorID(text.lowercased())
    }

    private static let missing = WireError(.notFound, "validation_failed", "Passkey not found")

    private static func managed<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as AuthError {
            throw said(error)
        }
    }

    /// What the platform has words of its own for where it is about passkeys.
    private static func said(_ error: AuthError) -> any Error {
        switch error.code {
        case .factorChallengeNotFound:
            WireError(.badRequest, "webauthn_challenge_not_found", "Challenge not found or already used")
        case .factorChallengeExpired:
            WireError(.badRequest, "webauthn_challenge_expired", "Challenge has expired")
        case .factorCodeInvalid: AuthError(.passkeyRefused)
        case .factorExists:
            WireError(.unprocessableContent, "webauthn_credential_exists", "This credential is already registered")
        case .tooManyFactors:
            WireError(.unprocessableContent, "too_many_passkeys", "Maximum number of passkeys reached")
        case .insufficientAssurance:
            WireError(
                .forbidden, "insufficient_aal",
                "AAL2 session is required to manage passkeys when MFA is enabled")
        case .factorNotFound: missing
        case .factorDisabled:
            WireError(.notFound, "passkey_disabled", "Passkeys need directory.passkeys.rpId or directory.siteUrl")
        default: error
        }
    }
}
