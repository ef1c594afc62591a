// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Foundation
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

/// The dialect in a Directory with a few providers, and a browser that keeps cookies.
struct FederationBench: Sendable {
    static let verifier = String(repeating: "v", count: 64)
    static let challenge = PKCE.challenge(for: verifier)
    static let pkce = "code_challenge=\(challenge)&code_challenge_method=s256"
    static let ada: JSONObject = [
        "sub": "g-1", "email": "ada@example.com", "email_verified": true, "name": "Ada Lovelace",
        "picture": "https://pictures.example/ada.png", "hd": "example.com",
    ]

    let bench: SupabaseBench

    init(
        manualLinking: Bool = true, _ change: (inout DirectorySettings) -> Void = { _ in }
    ) async throws {
        bench = try await SupabaseBench(identityProviders: ScriptedProviders()) {
            $0.federation.manualLinking = manualLinking
            change(&$0)
        }
        let (directory, now) = (bench.accounts.directory.id, bench.accounts.now)
        func provider(_ name: String, _ kind: IdentityProvider.Kind) -> IdentityProvider {
            IdentityProvider(
                id: IdentityProviderID("p-" + name), directoryID: directory, name: name, kind: kind,
                issuer: kind == .openID ? "https://acme.example" : nil, clientIDs: ["web", "ios"], secret: Secret("s"),
                createdAt: now, updatedAt: now)
        }
        var off = provider("github", .github)
        off.isEnabled = false
        var acme = provider("custom:acme", .openID)
        ProviderKeeping(
            redirectURI: "https://gateway.example/callback", authorizationParameters: ["audience": "acme"]
        ).write(to: &acme)
        let all = [
            provider("google", .google), provider("apple", .apple), provider("microsoft", .microsoft), off, acme,
        ]
        try await bench.accounts.ports.store.write { tx in
            for provider in all { try tx.insert(provider) }
        }
    }

    // MARK: A browser

    /// Where a browser is sent, and the cookie that it is given.
    struct Away: Sendable {
        var location: String
        var cookie: String
        var query: [String: String]
        var state: String { query["state"] ?? "" }
    }

    func leave(_ query: String, path: String = "/authorize", cookie: String? = nil) async throws -> Away {
        let reply = try await bench.send(
            .get, "\(path)?\(query)", key: "", headers: cookie.map { ["cookie": $0] } ?? [:])
        return try away(reply)
    }

    func away(_ reply: HTTPBench.Reply) throws -> Away {
        #expect(reply.status == 302, "\(reply.text)")
        let location = try #require(reply[header: "location"], "\(reply.text)")
        let cookie = try #require(reply[header: "set-cookie"])
        return Away(
            location: location, cookie: String(cookie.prefix { $0 != ";" }), query: Self.pairs(location, after: "?"))
    }

    /// Comes back with what a provider says of `claims`.
    func comeBack(
        _ away: Away, _ claims: JSONObject = FederationBench.ada, cookie: String? = nil
    ) async throws -> HTTPBench.Reply {
        try await comeBack(state: away.state, code: ScriptedProviders.text(claims), cookie: cookie ?? away.cookie)
    }

    func comeBack(state: String, code: String, cookie: String) async throws -> HTTPBench.Reply {
        try await callback(RedirectTarget.encode([("state", state), ("code", code)]), cookie: cookie)
    }

    func callback(_ query: String, cookie: String) async throws -> HTTPBench.Reply {
        try await bench.send(.get, "/callback?" + query, key: "", headers: ["cookie": cookie])
    }

    func postBack(_ form: String, cookie: String) async throws -> HTTPBench.Reply {
        try await bench.send(
            .post, "/callback", raw: form, key: "",
            headers: ["content-type": "application/x-www-form-urlencoded", "cookie": cookie])
    }

    /// The whole way by PKCE.
    func signIn(
        _ claims: JSONObject = FederationBench.ada, by provider: String = "google"
    ) async throws -> HTTPBench.Reply {
        let reply = try await comeBack(leave("provider=\(provider)&\(Self.pkce)"), claims)
        let code = Self.pairs(try #require(reply[header: "location"]), after: "?")["code"]
        return try await exchange(try #require(code, "\(reply[header: "location"] ?? "")"))
    }

    func exchange(_ code: String, verifier: String = FederationBench.verifier) async throws -> HTTPBench.Reply {
        try await bench.post(
            "/token?grant_type=pkce", ["auth_code": .string(code), "code_verifier": .string(verifier)])
    }

    /// The parameters of a URL's query (`?`) or fragment (`#`).
    static func pairs(_ url: String, after mark: Character) -> [String: String] {
        let rest = url.split(separator: mark, maxSplits: 1).dropFirst().first ?? ""
        let text = mark == "?" ? rest.prefix { $0 != "#" } : rest
        var pairs: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                $0.replacing("+", with: " ").removingPercentEncoding ?? ""
            }
            pairs[parts[0]] = parts.count > 1 ? parts[1] : ""
        }
        return pairs
    }
}
