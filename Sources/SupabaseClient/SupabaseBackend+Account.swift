// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

extension SupabaseBackend: AccountBackend {
    /// A provider by its kit or in the browser; or an address and a password for who is anonymous.
    ///
    /// A provider brings a session of its own, of `aal1`, in the place of that which asked for it.
    public func link(_ proof: SignInProof, to tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        switch proof {
        case .identityToken(let identity):
            var body = Self.body(of: identity)
            body["link_identity"] = true
            let answer = try await service.ask(
                "POST", "/token", query: [("grant_type", "id_token")], body, token: tokens.accessToken)
            return await keepingName(of: identity, in: Self.replacing(tokens, try answer.session()))
        case .browser(let provider, let options):
            return Self.replacing(tokens, try await browser(to: provider, options, linking: tokens))
        case .password(let identifier, let password):
            return try await change(
                SupabaseIdentifier(identifier).body(["password": .string(password.reveal())]), tokens)
        case .code, .link, .callback, .customToken, .anonymous, .passkey:
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

    /// The service makes an account for a provider's user who has none; who calls ends the session that comes of it.
    public func reauthenticate(
        _ tokens: TokenSet, with proof: SignInProof
    ) async throws(AuthError) -> SignInStep {
        if case .anonymous = proof { throw AuthError(.reauthenticationInvalid, reason: "no proof of anybody") }
        return try await signIn(proof)
    }

    /// The service has no way for users to delete themselves: an app's own backend does it with the service's key, and
    /// a Latchkey server at `/v1/account` (`SessionService.deleteAccount(by:)`).
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

    /// Confirms a change by the code of its message.
    ///
    /// - Parameter identifier: where the code came to: of a change of address, also the present one, where the service
    ///   asks both.
    /// - Returns: a session of its own in the place of this one; the same one while the other message is still to be
    ///   answered.
    public func confirmIdentifier(
        _ tokens: TokenSet, _ identifier: String, code: Secret<String>
    ) async throws(AuthError) -> SessionGrant {
        let identifier = try SupabaseIdentifier(identifier)
        let kind: JSONValue = identifier.isEmail ? "email_change" : "phone_change"
        let answer = try await service.ask(
            "POST", "/verify", identifier.body(["type": kind, "token": .string(code.reveal())]))
        guard !answer.hasSession else { return Self.replacing(tokens, try answer.session()) }
        return try Self.continued(tokens, await service.ask("GET", "/user", token: tokens.accessToken))
    }

    private func change(_ changes: JSONObject, _ tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        try Self.continued(
            tokens,
            await service.ask(
                "PUT", "/user", query: [("redirect_to", configuration.redirectURI)], changes,
                token: tokens.accessToken))
    }

    /// Whether it is another session than that of the tokens before stands in both.
    private static func replacing(_ tokens: TokenSet, _ grant: SessionGrant) -> SessionGrant {
        var grant = grant
        if let before = SupabaseClaims(tokens.accessToken)?.session,
            let now = SupabaseClaims(grant.tokens.accessToken)?.session
        {
            grant.replacesSession = !before.utf8.elementsEqual(now.utf8)
        }
        return grant
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
