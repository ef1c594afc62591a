// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// The passkeys of whoever is signed in: made, listed and removed.
enum PasskeyEndpoints {
    private static let credential = Member("CredentialId", 1...2048)
    private static let mostOfPage: Int64 = 20
    /// Of a passkey that its user has not named, which this protocol has no way to.
    private static let unnamed = "Passkey"

    /// `StartWebAuthnRegistration`. The options are those that browsers parse, without a member around them.
    static func start(_ call: DialectCall) async throws -> JSONObject {
        let user = try call.user()
        return try await said(call) {
            let question = try await call.accounts.registerPasskey.begin(for: user, call: call.flow)
            return ["CredentialCreationOptions": .object(question.options)]
        }
    }

    /// `CompleteWebAuthnRegistration`, which answers the newest question of its session.
    static func complete(_ call: DialectCall) async throws -> JSONObject {
        let user = try call.user()
        guard let answer = try call.input.members("Credential") else { throw Input.missing("Credential") }
        return try await said(call) {
            _ = try await call.accounts.registerPasskey.complete(nil, answer, of: user, call: call.flow)
            return [:]
        }
    }

    /// `ListWebAuthnCredentials`
    static func list(_ call: DialectCall) async throws -> JSONObject {
        let user = try call.user().user.id
        let page = try Page(
            call.input, of: ["passkeys", user.rawValue], limit: "MaxResults", token: .nextToken, most: mostOfPage)
        let known = try await call.accounts.userPasskeys.list(of: user, call: call.flow)
        let (shown, next) = page.cut(known) { $0.id.rawValue }
        var json: JSONObject = [
            "Credentials": .array(shown.compactMap { passkey in encode(passkey).map { .object($0) } })
        ]
        json["NextToken"] = next
        return json
    }

    /// `DeleteWebAuthnCredential`
    static func delete(_ call: DialectCall) async throws -> JSONObject {
        let user = try call.user()
        let id = Base64URL.decode(try call.input.required(credential)) ?? []
        let known = try await call.accounts.userPasskeys.list(of: user.user.id, call: call.flow)
        guard let passkey = known.first(where: { $0.webAuthn?.id == id }) else { throw missing }
        return try await said(call) {
            _ = try await call.accounts.userPasskeys.remove(passkey.id, of: user, call: call.flow)
            return [:]
        }
    }

    /// `WebAuthnCredentialDescription`; `nil` for one that can't be read.
    private static func encode(_ passkey: Factor) -> JSONObject? {
        guard let credential = passkey.webAuthn else { return nil }
        return [
            "CredentialId": .string(Base64URL.encode(credential.id)),
            "FriendlyCredentialName": .string(passkey.name ?? unnamed),
            "RelyingPartyId": .string(credential.relyingParty),
            "AuthenticatorTransports": .array(credential.transports.map { .string($0) }),
            "CreatedAt": passkey.createdAt.wireDate,
        ]
    }

    private static let missing = WireError.notFound("WebAuthn credential does not exist.")

    // MARK: The service's words

    static func requireEnabled(_ call: DialectCall) throws(WireError) {
        guard call.flow.settings.passkeys.enabled else {
            throw WireError("WebAuthnNotEnabledException", "WebAuthn is not enabled for this user pool.")
        }
    }

    private static func said(
        _ call: DialectCall, _ work: () async throws -> JSONObject
    ) async throws -> JSONObject {
        do {
            return try await work()
        } catch let error as AuthError {
            throw refusal(error, call)
        }
    }

    private static func refusal(_ error: AuthError, _ call: DialectCall) -> any Error {
        switch error.code {
        case .factorDisabled where call.flow.settings.passkeys.enabled:
            WireError("WebAuthnConfigurationMissingException", "The user pool has no RelyingPartyId.")
        case .factorDisabled: WireError("WebAuthnNotEnabledException", "WebAuthn is not enabled for this user pool.")
        case .factorChallengeNotFound, .factorChallengeExpired:
            WireError("WebAuthnChallengeNotFoundException", "The challenge was not found or has expired.")
        case .factorCodeInvalid: wrong(error.field)
        case .factorExists: WireError.parameter("The credential is registered already.")
        case .tooManyFactors: WireError("LimitExceededException", "The user has too many passkeys.")
        case .factorNotFound: missing
        default: error
        }
    }

    /// What is wrong with an answer, which the service tells whoever is signed in.
    private static func wrong(_ fault: String?) -> WireError {
        switch fault {
        case "originNotAllowed", "embeddingNotAllowed":
            WireError("WebAuthnOriginNotAllowedException", "The origin is not allowed for this user pool.")
        case "relyingPartyMismatch":
            WireError("WebAuthnRelyingPartyMismatchException", "The relying party is not that of the user pool.")
        case "challengeMismatch":
            WireError("WebAuthnChallengeNotFoundException", "The challenge was not found or has expired.")
        case "algorithmNotOffered", "keyInvalid", "attestationUnsupported", "attestationInvalid",
            "attestationUntrusted", "userNotPresent", "userNotVerified":
            WireError("WebAuthnCredentialNotSupportedException", "The credential is not supported.")
        default: WireError.parameter("The credential could not be verified.")
        }
    }
}
