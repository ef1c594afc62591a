// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// The answers of `signInWithIdp`, each of which says what the provider said. SDKs branch on whether `needConfirmation`
/// and `errorMessage` are there, whatever is in them.
struct ProviderAnswer: Sendable {
    private let judged: JudgedProof
    private let given: ProviderCredential
    private let call: DialectCall

    init(_ judged: JudgedProof, _ given: ProviderCredential, _ call: DialectCall) {
        self.judged = judged
        self.given = given
        self.call = call
    }

    func signedIn(_ outcome: FederatedOutcome) async throws -> Response {
        guard case .step(let step) = outcome.ending else {
            throw AuthError(.internalFailure, reason: "a sign-in that was to open no session")
        }
        var json = try profile()
        json["localId"] = .string(step.user.localID)
        if let email = step.user.email {
            if email == judged.proof.email {
                json["emailVerified"] = .bool(step.user.emailVerifiedAt != nil)
            } else if judged.proof.email != nil {
                json["originalEmail"] = .string(email.rawValue)
            }
        }
        if outcome.isNew { json["isNewUser"] = true }
        try await call.conclude(step, &json)
        return Answer.object(json)
    }

    /// What an app is told beside the error, where it can do something about it by the same credential: sign in to the
    /// account that there is, and link.
    ///
    /// - Throws: every other error.
    func refused(_ error: AuthError, linking: Bool) async throws -> Response {
        switch error.code {
        case .needsConfirmation where !linking:
            var json = try await withPendingToken()
            json["needConfirmation"] = true
            json["verifiedProvider"] = try await verifiedProviders()
            return Answer.object(json)
        case .identityAlreadyLinked, .emailExists:
            guard try call.body.flag("returnIdpCredential") ?? false else { throw error }
            var json = try await withPendingToken()
            json["errorMessage"] = .string(WireError(error).code)
            return Answer.object(json)
        default: throw error
        }
    }

    /// How whoever has the address signs in, where the project lets that be asked.
    private func verifiedProviders() async throws -> JSONValue? {
        guard !call.flow.settings.signUp.concealsEmails, let email = judged.proof.email,
            let holder = try await call.accounts.findUser.record(.email(email), call: call.flow)
        else { return nil }
        return .array(
            holder.identities.filter { !SignInProvider.isLocal($0) }.map { .string(ProviderID(of: $0).text) })
    }

    private func withPendingToken() async throws -> JSONObject {
        var json = try profile()
        json["pendingToken"] = .string(try call.accounts.federatedSignIn.sealed(judged, call: call.flow))
        return json
    }

    private func profile() throws -> JSONObject {
        var json = Kind.providerSignIn.object
        var proof = judged.proof
        proof.tokens = proof.tokens ?? given.tokens
        ProviderProfile(proof).add(
            to: &json, returnsRefreshToken: try call.body.flag("returnRefreshToken") ?? false, at: call.now)
        json["context"] = .string(given.context ?? "")
        json["tenantId"] = call.directory.tenantID.map { .string($0) }
        return json
    }
}
