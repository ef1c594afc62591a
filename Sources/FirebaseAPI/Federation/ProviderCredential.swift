// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// By what an app says that a provider vouches for its user.
struct ProviderCredential: Sendable {
    private enum Form: Sendable {
        /// Of the provider's own SDK.
        case token(UpstreamCredential, of: ProviderID)
        /// What a browser came back with that ``AuthURIEndpoint`` sent away.
        case answer(UpstreamReturn, to: PendingFederation)
        /// What an earlier answer gave in place of a sign-in.
        case pending(String)
    }

    private let form: Form
    /// What the app said when it asked for the address to send its user to.
    let context: String?
    /// What the app brought along, and is told again.
    let tokens: UpstreamTokens?
    /// Apple's `user`: a name that is told once, beside the token.
    private let user: String?

    /// - Throws: `INVALID_CREDENTIAL_OR_PROVIDER_ID`, `INVALID_IDP_RESPONSE` for the answer to another browser's
    ///   request.
    init(_ response: ProviderResponse, _ call: DialectCall) async throws {
        user = response["user"]
        if let text = try call.body.given("pendingToken") ?? call.body.given("pendingIdToken") {
            (form, context, tokens) = (.pending(text), nil, nil)
            return
        }
        if let state = response["state"], response["id_token"] == nil, response["access_token"] == nil {
            let session = try call.body.given("sessionId")
            let pending: PendingFederation
            do {
                pending = try await call.accounts.completeFederatedSignIn.pending(
                    state: state, binding: session.map(PendingFederation.hash), call: call.flow)
            } catch let error as AuthError where [.flowStateNotFound, .flowStateExpired].contains(error.code) {
                throw WireError("INVALID_IDP_RESPONSE", "The response is to no request of this session, or was used.")
            }
            let answer = UpstreamReturn(
                code: response.secret("code"), error: response["error"], issuer: response["iss"], user: user)
            (form, context, tokens) = (.answer(answer, to: pending), pending.continuation["context"]?.stringValue, nil)
            return
        }
        let provider = try response.provider()
        let (id, access) = (response.secret("id_token"), response.secret("access_token"))
        context = nil
        tokens = UpstreamTokens(access: access, id: id)
        if let id {
            // SDKs give the provider the nonce's hash and the app the nonce: whoever has seen the token alone knows the
            // former.
            let token = UpstreamIDToken(text: id, nonce: response["nonce"], nonceForm: .hashed, accessToken: access)
            form = .token(.idToken(token), of: provider)
        } else {
            // One that is not set up is said to be none, whatever else is missing.
            form = .token(.accessToken(access ?? Secret("")), of: provider)
        }
    }

    /// - Throws: `INVALID_PENDING_TOKEN`, `MISSING_OR_INVALID_NONCE`, `INVALID_CREDENTIAL_OR_PROVIDER_ID`, and as
    ///   ``Accounts/IDTokenSignIn`` and ``Accounts/CompleteFederatedSignIn``.
    func judged(_ call: DialectCall) async throws -> JudgedProof {
        switch form {
        case .pending(let text):
            do {
                return try await call.accounts.federatedSignIn.opened(text, call: call.flow)
            } catch let error as AuthError where [.flowStateNotFound, .flowStateExpired].contains(error.code) {
                throw WireError("INVALID_PENDING_TOKEN")
            }
        case .answer(let answer, let pending):
            do {
                return try await call.accounts.completeFederatedSignIn.judged(answer, to: pending, call: call.flow)
            } catch let error as AuthError where [.flowStateNotFound, .invalidRequest].contains(error.code) {
                throw WireError("INVALID_IDP_RESPONSE", "The response is neither a code nor an error.")
            }
        case .token(let credential, let provider): return try await judged(credential, of: provider, call)
        }
    }

    private func judged(
        _ credential: UpstreamCredential, of provider: ProviderID, _ call: DialectCall
    ) async throws -> JudgedProof {
        _ = try await call.accounts.identityProviders.usable(provider.name, in: call.directory.id)
        guard tokens?.id != nil || tokens?.access != nil else {
            throw WireError("INVALID_CREDENTIAL_OR_PROVIDER_ID", "Invalid IdP response/credential.")
        }
        do {
            var judged = try await call.accounts.idTokenSignIn.judged(credential, of: provider.name, call: call.flow)
            if let (given, family) = name { judged.name(given: given, family: family) }
            return judged
        } catch let error as AuthError where error.code == .identityTokenInvalid && error.field == "nonce" {
            throw WireError("MISSING_OR_INVALID_NONCE")
        }
    }

    /// The name in Apple's `user`. Nobody signs it, so that it is no more than what users say of themselves, and
    /// nothing else of it is taken.
    private var name: (given: String?, family: String?)? {
        guard let user, user.utf8.count <= 1024, let object = try? JSONObject(parsing: user.utf8),
            let name = object["name"]?.objectValue
        else { return nil }
        return (name["firstName"]?.stringValue, name["lastName"]?.stringValue)
    }
}
