// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// `/passkeys`.
extension SupabaseBackend: PasskeyBackend {
    /// Whoever's passkey is shown: nobody says before who they are.
    func signInByPasskey() async throws(AuthError) -> SessionGrant {
        guard let authenticator else { throw Self.noAuthenticator }
        let (challenge, options) = try Self.question(
            await service.ask("POST", "/passkeys/authentication/options", [:]))
        let credential: JSONObject
        do { credential = try await authenticator.authenticate(options) } catch { throw AuthError(noPasskey: error) }
        return try await service.ask(
            "POST", "/passkeys/authentication/verify", Self.answer(challenge, credential)
        ).session()
    }

    public func passkeys(_ tokens: TokenSet) async throws(AuthError) -> [Passkey] {
        try await service.list("/passkeys", token: tokens.accessToken).compactMap { passkey in
            guard let id = passkey["id"]?.stringValue, !id.isEmpty else { return nil }
            func instant(_ name: String) -> Instant? { passkey[name]?.stringValue.flatMap { Instant(rfc3339: $0) } }
            return Passkey(
                id: id, name: passkey["friendly_name"]?.stringValue, createdAt: instant("created_at"),
                lastUsedAt: instant("last_used_at"))
        }
    }

    public func addPasskey(_ tokens: TokenSet) async throws(AuthError) {
        guard let authenticator else { throw Self.noAuthenticator }
        let (challenge, options) = try Self.question(
            await service.ask("POST", "/passkeys/registration/options", [:], token: tokens.accessToken))
        let credential: JSONObject
        do { credential = try await authenticator.register(options) } catch { throw AuthError(noPasskey: error) }
        _ = try await service.ask(
            "POST", "/passkeys/registration/verify", Self.answer(challenge, credential), token: tokens.accessToken)
    }

    public func removePasskey(_ id: String, _ tokens: TokenSet) async throws(AuthError) {
        _ = try await service.ask(
            "DELETE", "/passkeys/" + PercentEncoding.encode(id.utf8), token: tokens.accessToken)
    }

    private static func question(
        _ answer: SupabaseService.Answer
    ) throws(AuthError) -> (challenge: String, options: JSONObject) {
        guard let id = answer.members["challenge_id"]?.stringValue, let options = answer.members["options"]?.objectValue
        else { throw AuthError(.unavailable, reason: "the answer is no challenge") }
        return (id, options)
    }

    private static func answer(_ challenge: String, _ credential: JSONObject) -> JSONObject {
        ["challenge_id": .string(challenge), "credential": .object(credential)]
    }
}
