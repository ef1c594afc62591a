// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

/// Other people's identity providers, as far as app clients and their requests name them.
@Suite struct HostedProviderTests {
    private static func bench() async throws -> HostedBench {
        let bench = try await HostedBench()
        let accounts = bench.accounts
        for (name, kind) in [("google", .google), ("apple", .apple), ("acme", .openID)]
            as [(String, IdentityProvider.Kind)]
        {
            let provider = IdentityProvider(
                id: accounts.ports.random.identifier(), directoryID: accounts.directory.id, name: name, kind: kind,
                issuer: kind == .openID ? "https://acme.example" : nil, clientIDs: ["client"],
                createdAt: accounts.now, updatedAt: accounts.now)
            try await accounts.ports.store.write { try $0.insert(provider) }
        }
        accounts.flows.identityProviderCatalog.invalidate()
        return bench
    }

    @Test("R12.6 an app client names the pool's providers in the service's words, and none that the pool has not")
    func clients() async throws {
        let bench = try await Self.bench()
        let names: JSONValue = ["COGNITO", "Google", "SignInWithApple", "acme"]
        let made = try await bench.makeClient(["SupportedIdentityProviders": names])
        #expect(made["SupportedIdentityProviders"] == names)
        let id = try #require(made["ClientId"]?.stringValue)
        let stored = try await bench.accounts.ports.store.read { try $0.client(ClientID(id)) }
        #expect(stored?.settings.authorization.identityProviders == ["COGNITO", "google", "apple", "acme"])
        for name in ["google", "apple", "Facebook", "LoginWithAmazon", "Acme", "nobody", "ü"] {
            let reply = try await bench.operation(
                "CreateUserPoolClient",
                [
                    "UserPoolId": .string(bench.poolID), "ClientName": "app",
                    "SupportedIdentityProviders": ["COGNITO", .string(name)],
                ])
            #expect(reply.status == 400 && reply.text.contains("InvalidParameterException"), "\(name) \(reply.text)")
            #expect(reply.text.contains("does not exist for User Pool"), "\(name) \(reply.text)")
        }
    }

    @Test("R12.6 identity_provider leads to that provider at once, for whoever is not signed in, and to no other")
    func direct() async throws {
        let bench = try await Self.bench()
        let made = try await bench.makeClient(["SupportedIdentityProviders": ["COGNITO", "Google", "acme"]])
        let client = try #require(made["ClientId"]?.stringValue)
        func open(_ name: String?, _ browser: HostedBrowser) async throws -> HTTPBench.Reply {
            try await browser.authorize(bench.request(client, ["identity_provider": name]))
        }
        for (name, own) in [("Google", "google"), ("acme", "acme")] {
            let reply = try await open(name, HostedBrowser(bench))
            #expect(reply.page == "/account/provider" && reply.answer["name"] == own, "\(reply.text)")
            #expect(reply.answer["request"] != nil)
        }
        for name in ["COGNITO", nil] as [String?] {
            #expect(try await open(name, HostedBrowser(bench)).page == "/account/sign-in")
        }
        for name in ["google", "SignInWithApple", "Facebook", "nobody", "https://evil.example", "acme\u{0}"] {
            let reply = try await open(name, HostedBrowser(bench))
            #expect(reply.status == 400 && reply.location == nil, "\(name)")
            #expect(reply.text.contains("Login option is not available"), "\(name) \(reply.text)")
        }
        // Signed in already: at once.
        let browser = try await bench.signedIn()
        #expect(try await open("Google", browser).answer["code"] != nil)
        // Both are no provider.
        var form = bench.request(client, ["identity_provider": "Google"])
        form.append(("idp_identifier", "acme.example"))
        #expect(try await HostedBrowser(bench).authorize(form).status == 400)
    }
}
