// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import Testing

@testable import CognitoClient

struct ClientSecretTests {
    private func backend(_ configuration: CognitoConfiguration, _ transport: ScriptedTransport) -> CognitoBackend {
        CognitoBackend(configuration, transport: transport, clock: ManualClock(now: Recorded.date))
    }

    @Test("R13.3 A client with a secret shows a hash of it beside the name that it says (recorded vector)")
    func secretHash() async throws {
        var configuration = Recorded.configuration
        configuration.clientSecret = Secret("s3cr3t")
        #expect(configuration.secretHash(of: "alice") == "kOPeHzvKtscBvBM4zlIffwOT074cplXWBq9MCfoDa4k=")
        configuration.refreshOperation = .initiateAuth
        let transport = Recorded.service { _, _ in Recorded.answer(Recorded.result()) }
        _ = try await backend(configuration, transport).refresh(Recorded.tokens(username: "alice"))
        #expect(
            await transport.inputs.first?["AuthParameters"]?.objectValue?["SECRET_HASH"]
                == "kOPeHzvKtscBvBM4zlIffwOT074cplXWBq9MCfoDa4k=")
        configuration.refreshOperation = .getTokensFromRefreshToken
        _ = try await backend(configuration, transport).refresh(Recorded.tokens(username: "alice"))
        #expect(
            await transport.inputs.last == [
                "RefreshToken": "refresh-1", "ClientId": "client123", "ClientSecret": "s3cr3t",
            ])
    }

    @Test(
        "R13.3 A secret is shown at a refresh for the name that the pool has, and only if that is refused for the typed one"
    )
    func typedName() async throws {
        var configuration = Recorded.configuration
        configuration.clientSecret = Secret("s3cr3t")
        configuration.refreshOperation = .initiateAuth
        configuration.passwordFlow = .password
        let typed = try #require(configuration.secretHash(of: "ada@example.org"))
        let canonical = try #require(configuration.secretHash(of: "ada-name"))
        for (taken, refusal, expected) in [
            (canonical, "Unable to verify secret hash for client app", [canonical]),
            (typed, "Unable to verify secret hash for client app", [canonical, typed]),
            // Not every service that stands in for the real one says why.
            (typed, "no", [canonical, typed]),
        ] {
            let transport = Recorded.service { _, input in
                let parameters = input["AuthParameters"]?.objectValue
                guard parameters?["REFRESH_TOKEN"] != nil, parameters?["SECRET_HASH"] != .string(taken) else {
                    return Recorded.answer(Recorded.result())
                }
                return Recorded.refusal("NotAuthorizedException", refusal)
            }
            let backend = backend(configuration, transport)
            guard
                case .session(let grant) = try await backend.signIn(
                    .password(identifier: "ada@example.org", password: Secret("p")))
            else {
                Issue.record("no session")
                return
            }
            _ = try await backend.refresh(grant.tokens)
            let hashes = await transport.inputs.dropFirst().compactMap { input in
                input["AuthParameters"]?.objectValue?["SECRET_HASH"]?.stringValue
            }
            #expect(hashes == expected)
        }
        let dead = Recorded.service { _, input in
            input["AuthParameters"]?.objectValue?["SECRET_HASH"] == .string(typed)
                ? Recorded.refusal("NotAuthorizedException", "Unable to verify secret hash for client app")
                : Recorded.refusal("NotAuthorizedException", "Refresh Token has expired")
        }
        var tokens = Recorded.tokens()
        tokens.attachments = Secret(["username": "ada-name", "typed": "ada@example.org"])
        await #expect(throws: AuthError(.sessionExpired)) { try await backend(configuration, dead).refresh(tokens) }
    }
}
