// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

extension CognitoBackend: PasskeyBackend {
    private static let limits = JSONLimits(depth: 16, members: 1_000, bytes: 64 << 10)
    /// Pages of a list: no pool takes so many passkeys of a user.
    private static let mostPages = 20

    /// `USER_AUTH` with `WEB_AUTHN` as what the user prefers. Where the pool leaves it to the user, the choice is made
    /// for them.
    func signIn(byPasskeyOf identifier: String?) async throws(AuthError) -> SignInStep {
        guard authenticator != nil else { throw Self.noAuthenticator }
        guard let identifier else {
            throw AuthError(.unsupported, reason: "a user pool asks for the name before the passkey")
        }
        var answer = try await initiate(
            "USER_AUTH", ["USERNAME": identifier, "PREFERRED_CHALLENGE": "WEB_AUTHN"], username: identifier)
        if answer.members["ChallengeName"] == "SELECT_CHALLENGE" {
            let ways = answer.members["AvailableChallenges"]?.arrayValue ?? []
            if ways.contains("WEB_AUTHN") {
                answer = try await respond(
                    to: "SELECT_CHALLENGE", session: answer.members["Session"]?.stringValue,
                    ["USERNAME": identifier, "ANSWER": "WEB_AUTHN"])
            } else if ways.allSatisfy({ $0 == "PASSWORD" || $0 == "PASSWORD_SRP" }) {
                // Theirs is a password alone, which is asked for by another sign-in.
                throw AuthError(.passkeyRefused, reason: "the user has none at the pool")
            }
        }
        let step = try await step(answer, identifier: identifier, on: await devices?.find(identifier))
        guard case .awaiting(let awaited) = step, awaited.kind == .passkey else { return step }
        return try await self.answer(awaited, with: .passkey)
    }

    /// - Parameter options: `CREDENTIAL_REQUEST_OPTIONS`, JSON in a text.
    /// - Returns: the answer in the same form.
    func credential(_ options: String?) async throws(AuthError) -> String {
        guard let authenticator else { throw Self.noAuthenticator }
        guard let options, let request = try? JSONObject(parsing: options.utf8, limits: Self.limits) else {
            throw AuthError(.unavailable, reason: "the service's challenge has no options")
        }
        do { return try await authenticator.authenticate(request).text } catch { throw AuthError(noPasskey: error) }
    }

    /// `ListWebAuthnCredentials`.
    public func passkeys(_ tokens: TokenSet) async throws(AuthError) -> [Passkey] {
        var (found, next) = ([Passkey](), String?.none)
        for _ in 0..<Self.mostPages {
            var input: JSONObject = ["AccessToken": .string(tokens.accessToken.reveal()), "MaxResults": 20]
            if let next { input["NextToken"] = .string(next) }
            let answer = try await api.call("ListWebAuthnCredentials", input, for: .account)
            found += (answer.members["Credentials"]?.arrayValue ?? []).compactMap {
                Passkey(pool: $0.objectValue ?? [:])
            }
            next = answer.members["NextToken"]?.stringValue
            if next == nil { break }
        }
        return found
    }

    /// `StartWebAuthnRegistration` and `CompleteWebAuthnRegistration`.
    public func addPasskey(_ tokens: TokenSet) async throws(AuthError) {
        guard let authenticator else { throw Self.noAuthenticator }
        let token = JSONValue.string(tokens.accessToken.reveal())
        let begun = try await api.call("StartWebAuthnRegistration", ["AccessToken": token], for: .account)
        guard let options = begun.members["CredentialCreationOptions"]?.objectValue else {
            throw AuthError(.unavailable, reason: "the service gave no options")
        }
        let credential: JSONObject
        do { credential = try await authenticator.register(options) } catch { throw AuthError(noPasskey: error) }
        _ = try await api.call(
            "CompleteWebAuthnRegistration", ["AccessToken": token, "Credential": .object(credential)], for: .account)
    }

    /// `DeleteWebAuthnCredential`.
    public func removePasskey(_ id: String, _ tokens: TokenSet) async throws(AuthError) {
        _ = try await api.call(
            "DeleteWebAuthnCredential",
            ["AccessToken": .string(tokens.accessToken.reveal()), "CredentialId": .string(id)], for: .account)
    }

    private static let noAuthenticator = AuthError(.unsupported, reason: "the app gave no authenticator")
}

extension Passkey {
    /// `nil` for what names none.
    fileprivate init?(pool credential: JSONObject) {
        guard let id = credential["CredentialId"]?.stringValue, !id.isEmpty else { return nil }
        // The service's JSON has times as seconds since 1970, with a fraction or without.
        let created: Instant? =
            switch credential["CreatedAt"] {
            case .integer(let seconds) where (0...253_402_300_799).contains(seconds): Instant(seconds: seconds)
            case .number(let seconds) where (0...253_402_300_799).contains(seconds): Instant(seconds: Int64(seconds))
            default: nil
            }
        self.init(id: id, name: credential["FriendlyCredentialName"]?.stringValue, createdAt: created)
    }
}
