// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE
import Testing

@testable import Accounts

@Suite("Whether a call is its client's") struct ClientAuthenticationTests {
    private static let issuer = "https://id.example"
    private static let refusal = AuthError(.clientSecretInvalid)

    @Test("R11.3 RFC 6749 2.3: a client proves itself by the way it is registered for, and by no other")
    func methods() async throws {
        let bench = try await Bench.make()
        let key = try SigningKey.generate(.es256)
        for registered in ClientAuthenticationMethod.allCases {
            let client = try await Self.client(bench, registered, key)
            let secret = client.secrets.first?.text ?? Secret("another's")
            let proofs: [ClientProof] = [
                .nothing, .secretBasic(secret), .secretPost(secret),
                .assertion(Secret(try Self.assertion(of: client.id, "1", by: key, at: bench.now))),
            ]
            for proof in proofs {
                if proof.method == registered {
                    #expect(try await Self.judge(bench, client.id, proof).id == client.id, "\(registered)")
                } else {
                    await #expect(throws: Self.refusal, "\(registered) \(proof.method)") {
                        try await Self.judge(bench, client.id, proof)
                    }
                }
            }
        }
    }

    @Test("R11.3 RFC 6749 5.2: wrong secrets, unknown clients and those of other Directories are refused alike")
    func wrong() async throws {
        let bench = try await Bench.make()
        let client = try await Self.client(bench, .secretBasic)
        let secret = try #require(client.secrets.first?.text?.reveal())
        let other = try await DirectoryAdministration(bench.ports).create(name: "other", at: bench.now)
        for (id, text) in [
            (client.id.rawValue, ""), (client.id.rawValue, "x"), (client.id.rawValue, secret + " "),
            (client.id.rawValue, secret.uppercased()), ("unknown", secret), ("", secret), ("", "nobody's"),
            ("a b", secret), (String(repeating: "a", count: 129), secret), ("\u{0}", secret),
        ] {
            await #expect(throws: Self.refusal, "\(id)") {
                try await Self.judge(bench, ClientID(id), .secretBasic(Secret(text)))
            }
        }
        await #expect(throws: Self.refusal) { try await Self.judge(bench, ClientID(""), .nothing) }
        await #expect(throws: Self.refusal) { try await Self.judge(bench, ClientID("unknown"), .nothing) }
        let elsewhere = bench.call().with { $0.directory = other }
        await #expect(throws: Self.refusal) {
            try await ClientAuthentication(bench.ports)(
                client.id, .secretBasic(Secret(secret)), issuer: Self.issuer, call: elsewhere)
        }
    }

    @Test("R11.3 Either of two secrets is good, and one that was replaced is refused from that moment")
    func rotation() async throws {
        let bench = try await Bench.make()
        let clients = ClientAdministration(bench.ports)
        let client = try await Self.client(bench, .secretPost)
        let first = try #require(client.secrets.first?.text)
        let both = try await clients.addSecret(to: client.id, call: bench.call(at: bench.now + .seconds(1)))
        let second = try #require(both.secrets.first?.text)
        for secret in [first, second] { _ = try await Self.judge(bench, client.id, .secretPost(secret)) }
        let rotated = try await clients.rotateSecret(of: client.id, call: bench.call(at: bench.now + .seconds(2)))
        _ = try await Self.judge(bench, client.id, .secretPost(try #require(rotated.secrets.first?.text)))
        for secret in [first, second] {
            await #expect(throws: Self.refusal) { try await Self.judge(bench, client.id, .secretPost(secret)) }
        }
    }

    @Test("R11.3 RFC 7523 3: of 50 who show one assertion at once, one is taken, and nobody after")
    func replay() async throws {
        let bench = try await Bench.make()
        let key = try SigningKey.generate(.es256)
        let client = try await Self.client(bench, .privateKey, key)
        let text = try Self.assertion(of: client.id, "once", by: key, at: bench.now)
        let taken = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<50 {
                group.addTask {
                    let call = bench.call().with { $0.origin = "192.0.2.\(index)" }
                    return
                        (try? await ClientAuthentication(bench.ports)(
                            client.id, .assertion(Secret(text)), issuer: Self.issuer, call: call)) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(taken == 1)
        await #expect(throws: Self.refusal) { try await Self.judge(bench, client.id, .assertion(Secret(text))) }
        let next = try Self.assertion(of: client.id, "next", by: key, at: bench.now)
        _ = try await Self.judge(bench, client.id, .assertion(Secret(next)))
        // Another's key, or none.
        let stranger = try Self.assertion(of: client.id, "2", by: try .generate(.es256), at: bench.now)
        await #expect(throws: Self.refusal) { try await Self.judge(bench, client.id, .assertion(Secret(stranger))) }
        let unknown = try Self.assertion(of: ClientID("unknown"), "2", by: key, at: bench.now)
        await #expect(throws: Self.refusal) {
            try await Self.judge(bench, ClientID("unknown"), .assertion(Secret(unknown)))
        }
    }

    @Test("R11.3 ASVS 6.3.1: one caller's guesses at a client's secret are limited, and keep nobody else out")
    func guesses() async throws {
        let bench = try await Bench.make()
        let client = try await Self.client(bench, .secretBasic)
        let secret = try #require(client.secrets.first?.text)
        let most = bench.directory.settings.limits.signInPerIdentifier.count
        func judge(_ proof: ClientProof, _ id: ClientID, from origin: String?) async throws {
            let call = bench.call().with { $0.origin = origin }
            _ = try await ClientAuthentication(bench.ports)(id, proof, issuer: Self.issuer, call: call)
        }
        for id in [client.id, ClientID("unknown")] {
            for _ in 0..<most {
                await #expect(throws: Self.refusal) {
                    try await judge(.secretBasic(Secret("wrong")), id, from: "192.0.2.1")
                }
            }
            let refused = await #expect(throws: AuthError.self) {
                try await judge(.secretBasic(secret), id, from: "192.0.2.1")
            }
            #expect(refused?.code == .rateLimited && refused?.retryAfter != nil)
        }
        try await judge(.secretBasic(secret), client.id, from: "192.0.2.2")
        // An app's own server asks as often as it likes with what is right.
        for _ in 0..<(2 * most) { try await judge(.secretBasic(secret), client.id, from: "192.0.2.3") }
    }

    private static func client(
        _ bench: Bench, _ method: ClientAuthenticationMethod, _ key: SigningKey? = nil
    ) async throws -> Client {
        var settings = ClientSettings()
        settings.authorization.authentication = method
        if method == .privateKey {
            let key = try #require(key?.publicJWK)
            settings.authorization.keys = try JWKSet([key]).publicObject
        }
        return try await ClientAdministration(bench.ports).create(
            name: "App", withSecret: method.usesSecret, settings: settings, call: bench.call())
    }

    private static func judge(_ bench: Bench, _ id: ClientID, _ proof: ClientProof) async throws -> Client {
        // Each from elsewhere: guesses are not what this is about.
        let call = bench.call().with { $0.origin = nil }
        return try await ClientAuthentication(bench.ports)(id, proof, issuer: issuer, call: call)
    }

    private static func assertion(
        of client: ClientID, _ id: String, by key: SigningKey, at now: Instant
    ) throws -> String {
        try JWS.sign(
            [
                "iss": .string(client.rawValue), "sub": .string(client.rawValue), "aud": .string(issuer),
                "jti": .string(id), "exp": .integer(now.seconds + 60),
            ], with: key)
    }
}
