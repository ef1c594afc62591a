// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

extension SupabaseBackend: AccountBackend {
    /// A provider by its kit or in the browser; or an address and a password for who is anonymous.
    public func link(_ proof: SignInProof, to tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        switch proof {
        case .identityToken(let identity):
            var body = Self.body(of: identity)
            body["link_identity"] = true
            let answer = try await service.ask(
                "POST", "/token", query: [("grant_type", "id_token")], body, token: tokens.accessToken)
            return try answer.session()
        case .browser(let provider, let options):
            return try await browser(to: provider, options, linking: tokens)
        case .password(let identifier, let password):
            return try await change(
                SupabaseIdentifier(identifier).body(["password": .string(password.reveal())]), tokens)
        case .code, .link, .callback, .anonymous, .passkey:
            throw AuthError(.unsupported, reason: "nothing that could be linked")
        }
    }

    public func unlink(provider: String, from tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        let before = try await service.ask("GET", "/user", token: tokens.accessToken)
        let identities = (before.members["identities"]?.arrayValue ?? []).compactMap(\.objectValue)
        guard let identity = identities.first(where: { $0["provider"]?.stringValue == provider }),
            let id = identity["identity_id"]?.stringValue
        else { throw AuthError(.identityNotFound) }
        _ = try await service.ask(
            "DELETE", "/user/identities/" + PercentEncoding.encode(id.utf8), token: tokens.accessToken)
        return try Self.continued(tokens, await service.ask("GET", "/user", token: tokens.accessToken))
    }

    /// - Parameter current: sent where the app has asked for it; some projects want it.
    public func changePassword(
        _ tokens: TokenSet, current: Secret<String>?, new: Secret<String>
    ) async throws(AuthError) -> SessionGrant? {
        var changes: JSONObject = ["password": .string(new.reveal())]
        if let current { changes["current_password"] = .string(current.reveal()) }
        return try await change(changes, tokens)
    }

    public func reauthenticate(
        _ tokens: TokenSet, with proof: SignInProof
    ) async throws(AuthError) -> SignInStep {
        try await signIn(proof)
    }

    /// The service has no way for users to delete themselves: an app's own backend does it with the service's key, and a Latchkey
    /// server at `/v1/account` (`SessionService.deleteAccount(by:)`).
    @discardableResult
    public func deleteAccount(_ tokens: TokenSet) async throws(AuthError) -> AccountDeletion {
        throw AuthError(.unsupported, reason: "users don't delete themselves at this service")
    }

    /// Mails a code by which a password may be changed in a session that is not fresh.
    public func sendReauthenticationCode(_ tokens: TokenSet) async throws(AuthError) {
        _ = try await service.ask("GET", "/reauthenticate", token: tokens.accessToken)
    }

    /// - Parameter nonce: the code of ``sendReauthenticationCode(_:)``.
    public func changePassword(
        _ tokens: TokenSet, nonce: Secret<String>, new: Secret<String>
    ) async throws(AuthError) -> SessionGrant {
        try await change(["password": .string(new.reveal()), "nonce": .string(nonce.reveal())], tokens)
    }

    /// What the app keeps of its user (`user_metadata`): a null takes a member away.
    public func changeAttributes(_ tokens: TokenSet, _ changes: JSONObject) async throws(AuthError) -> SessionGrant {
        try await change(["data": .object(changes)], tokens)
    }

    /// Begins a change of the address or the number, which counts once the messages are answered.
    public func changeIdentifier(_ tokens: TokenSet, to identifier: String) async throws(AuthError) -> SessionGrant {
        try await change(SupabaseIdentifier(identifier).body([:]), tokens)
    }

    private func change(_ changes: JSONObject, _ tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        try Self.continued(
            tokens,
            await service.ask(
                "PUT", "/user", query: [("redirect_to", configuration.redirectURI)], changes,
                token: tokens.accessToken))
    }

    /// The same tokens, with what is left of their time by the service's clock.
    static func continued(
        _ tokens: TokenSet, _ answer: SupabaseService.Answer
    ) throws(AuthError) -> SessionGrant {
        var tokens = tokens
        tokens.lifetime = SupabaseClaims(tokens.accessToken)?.rest(at: answer.serverDate) ?? .zero
        return SessionGrant(tokens: tokens, user: try answer.user(), serverDate: answer.serverDate)
    }
}
