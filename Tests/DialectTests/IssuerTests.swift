// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE
import ServerKit
import TestBench
import Testing

@testable import OpenIDProvider
@testable import SupabaseAPI

/// Whose a token is, where two dialects give the same name for their issuer.
@Suite struct IssuerTests {
    @Test("R9.5 a Directory that is called what the server is has both kinds of tokens judged, each by its own dialect")
    func sameName() async throws {
        let url = "https://auth.example"
        let bench = try await AccountBench { $0.issuer = url }
        let tokens = OwnTokens(bench.keys)
        let supabase = SupabaseDialect(
            accounts: bench.flows, tokens: tokens, settings: .init(url: ServerURL(url)))
        let provider = OpenIDProvider(accounts: bench.flows, tokens: tokens, settings: .init(url: ServerURL(url)))
        #expect(supabase.issuer(of: bench.directory) == url)
        let issuers: [any OwnIssuers] = [supabase, provider]
        func judge(_ token: String) async throws -> OwnIssuer {
            try await tokens.verify(token, at: bench.now) { try await issuers.issuer(of: $0, at: bench.now) }.issuer
        }

        let key = try await provider.tokenKeys.accessTokenKey(of: bench.directory, at: bench.now).key
        let client = ClientID("notes")
        let access = OpenIDProvider.accessToken(of: client, at: bench.now)
        let own = try JWS.sign(
            access.claims(issuer: url, id: "1", at: bench.now), type: AccessToken.type, with: key)
        #expect(try await judge(own).audience == url)

        let session: JSONObject = [
            "iss": .string(url), "sub": "3f0e8a52-6f0c-4f0e-9a37-4a2f6a0c1b11", "aud": "authenticated",
            "exp": .integer(bench.now.seconds + 60), "iat": .integer(bench.now.seconds), "session_id": "s",
        ]
        let other = try JWS.sign(session.serialized(), type: "JWT", with: key)
        #expect(try await judge(other).audience == "authenticated")
        // For nobody in particular it is nobody's.
        var neither = session
        neither["aud"] = "somebody"
        let stray = try JWS.sign(neither.serialized(), type: "JWT", with: key)
        await #expect(throws: (any Error).self) { try await judge(stray) }
    }
}

extension OpenIDProvider {
    fileprivate static func accessToken(of client: ClientID, at now: Instant) -> AccessToken {
        AccessToken(of: client, scopes: ["notes/read"], resources: [], expiresAt: now + .seconds(60))
    }
}
