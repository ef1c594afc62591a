// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE
import Logging
import TestSupport
import Testing

@testable import IdentityProviders

@Suite("Providers that misbehave, over a socket", .timeLimit(.minutes(10)))
struct MisbehavingProviderTests {
    private struct World: Sendable {
        var base: String
        var process: ScriptProcess

        /// With a token endpoint of that name.
        func provider(_ mode: String, name: String = "custom:acme") -> IdentityProvider {
            var provider = ProviderBench.provider(.openID)
            provider.name = name
            provider.endpoints = .init(
                authorization: "\(base)/authorize", token: "\(base)/\(mode)", jwks: "\(base)/keys")
            return provider
        }

        func party(total: TimeSpan = .minutes(5), mostUnderWay: Int = 128, allowsLoopback: Bool = true) -> RelyingParty
        {
            var rules = OutwardClient.Rules()
            // Long enough for a machine that runs a thousand other tests: only an answer that never comes runs into it.
            (rules.connect, rules.total) = (total, total)
            rules.mostUnderWay = mostUnderWay
            rules.allowsLoopback = allowsLoopback
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            return RelyingParty(OutwardClient(rules), logger: logger) { ProviderBench.now }
        }

        /// Reads what the provider saw until it has said `line` so often.
        func wait(for line: String, times: Int = 1) async throws {
            var left = times
            while left > 0 { if try await process.line() == line { left -= 1 } }
        }
    }

    private func run(_ body: @Sendable (World) async throws -> Void) async throws {
        let token = try JWS.sign(ProviderBench.claims(), with: TestKeys.rsa)
        let answers: JSONObject = [
            "/keys": .string(TestKeys.set().text),
            "/token": .string((["access_token": "a", "id_token": .string(token)] as JSONObject).text),
            "/issuer/.well-known/openid-configuration": .string(
                #"{"issuer":"{here}/issuer","authorization_endpoint":"{here}/authorize","token_endpoint":"{here}/token","#
                    + #""jwks_uri":"{here}/keys"}"#),
            "/other/.well-known/openid-configuration": .string(
                #"{"issuer":"{here}/issuer","authorization_endpoint":"{here}/authorize","token_endpoint":"{here}/token","#
                    + #""jwks_uri":"{here}/keys"}"#),
        ]
        try await ScriptProcess.run("../Support/misbehaving_provider.py", [answers.text]) { process in
            try await body(World(base: "http://127.0.0.1:\(process.line())", process: process))
        }
    }

    private func redeem(_ party: RelyingParty, _ provider: IdentityProvider) async -> AuthErrorCode? {
        do throws(AuthError) {
            _ = try await party.redeem(ProviderBench.answer(), at: provider, now: ProviderBench.now)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("R12.1 What is no answer is one that can't be had: huge, endless, cut off, garbage, elsewhere")
    func answers() async throws {
        try await run { world in
            for mode in ["large", "endless", "garbage", "html", "short", "closing", "redirect", "redirect307", "none"] {
                let code = await redeem(world.party(), world.provider(mode))
                #expect(code == .identityProviderUnavailable, "\(mode)")
            }
            #expect(await redeem(world.party(), world.provider("token")) == nil)
        }
    }

    @Test("R12.1 A redirect is not followed")
    func redirects() async throws {
        try await run { world in
            for mode in ["redirect", "redirect307"] { _ = await redeem(world.party(), world.provider(mode)) }
            #expect(await redeem(world.party(), world.provider("token")) == nil)
            var paths: [String] = []
            while paths.last != "/token" { paths.append(try await world.process.line()) }
            #expect(paths == ["/redirect", "/redirect307", "/token"])
        }
    }

    @Test("R12.1 A provider that stalls before or within its answer is given up")
    func stalled() async throws {
        try await run { world in
            for mode in ["hanging", "dripping"] {
                let code = await redeem(world.party(total: .milliseconds(300)), world.provider(mode))
                #expect(code == .identityProviderUnavailable, "\(mode)")
            }
        }
    }

    @Test("R12.1 A hundred calls that hang keep nobody from another provider")
    func bulkhead() async throws {
        try await run { world in
            let party = world.party()
            let hanging = Task {
                await withTaskGroup { group in
                    for _ in 0..<100 { group.addTask { await redeem(party, world.provider("hanging")) } }
                    var codes: Set<AuthErrorCode?> = []
                    for await code in group { codes.insert(code) }
                    return codes
                }
            }
            try await world.wait(for: "/hanging", times: 100)
            for _ in 0..<10 { #expect(await redeem(party, world.provider("token", name: "custom:other")) == nil) }
            hanging.cancel()
            #expect(await hanging.value == [.identityProviderUnavailable])
        }
    }

    @Test("R12.1 A provider whose places are taken says so at once, and whoever goes gives theirs back")
    func cancelled() async throws {
        try await run { world in
            let party = world.party(mostUnderWay: 1)
            let first = Task { await redeem(party, world.provider("hanging")) }
            try await world.wait(for: "/hanging")
            #expect(await redeem(party, world.provider("token")) == .identityProviderUnavailable)
            #expect(await redeem(party, world.provider("token", name: "custom:other")) == nil)
            first.cancel()
            #expect(await first.value == .identityProviderUnavailable)
            try await world.wait(for: "gone /hanging")
            #expect(await redeem(party, world.provider("token")) == nil)
        }
    }

    @Test("R12.1 Metadata and keys are had over the socket, and another's metadata are refused")
    func discovery() async throws {
        try await run { world in
            var provider = world.provider("token")
            provider.endpoints = .init()
            for (name, code) in [("issuer", nil), ("other", .identityProviderUnavailable)] as [(String, AuthErrorCode?)]
            {
                provider.issuer = "\(world.base)/\(name)"
                let found: AuthErrorCode?
                do throws(AuthError) {
                    let url = try await world.party().authorization(
                        ProviderBench.request(), at: provider)
                    #expect(url.hasPrefix("\(world.base)/authorize?response_type=code"))
                    found = nil
                } catch {
                    found = error.code
                }
                #expect(found == code, "\(name)")
            }
        }
    }

    @Test("R45 R12.1 Outside development this machine is not asked")
    func production() async throws {
        try await run { world in
            let party = world.party(allowsLoopback: false)
            #expect(await redeem(party, world.provider("token")) == .identityProviderUnavailable)
        }
    }
}
