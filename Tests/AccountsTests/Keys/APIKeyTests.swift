// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite("API keys")
struct APIKeyTests {
    @Test("C-6 A key authenticates; only its hash is kept")
    func authenticates() async throws {
        let bench = try await Bench.make()
        let administration = APIKeyAdministration(bench.ports)
        let (key, secret) = try await administration.create(
            .secret, name: "deploy", scopes: ["admin:users"], in: bench.directory, at: bench.now)
        #expect(secret.reveal().hasPrefix("lk_sec_"))
        #expect(secret.reveal().utf8.count >= 7 + 43)
        #expect(key.prefix.count < 12 && secret.reveal().hasPrefix(key.prefix))
        let found = try await APIKeyAuthentication(bench.ports).authenticate(secret.reveal(), at: bench.now)
        #expect(found?.id == key.id)
        #expect(found?.directoryID == bench.directory.id)
        let listed = try await administration.list(in: bench.directory)
        #expect(listed.map(\.id) == [key.id])
        #expect(listed.allSatisfy { !"\($0)".contains(secret.reveal()) })
    }

    @Test("C-6 A wrong, cut, lengthened or recased key is none")
    func wrongKeys() async throws {
        let bench = try await Bench.make()
        let (_, secret) = try await APIKeyAdministration(bench.ports).create(
            .publishable, name: "app", in: bench.directory, at: bench.now)
        let text = secret.reveal()
        let authentication = APIKeyAuthentication(bench.ports)
        let wrong = [
            "", "lk_pub_", String(text.dropLast()), text + "A", text + "=", text + " ", " " + text, text.uppercased(),
            String(text.dropFirst(7)), String(repeating: "x", count: 100_000),
        ]
        for each in wrong { #expect(try await authentication.authenticate(each, at: bench.now) == nil) }
        #expect(try await authentication.authenticate(text, at: bench.now) != nil)
    }

    @Test("C-6 An expired key and a revoked key are refused from that moment")
    func ends() async throws {
        let bench = try await Bench.make()
        let administration = APIKeyAdministration(bench.ports)
        let authentication = APIKeyAuthentication(bench.ports)
        let (_, expiring) = try await administration.create(
            .secret, name: "short", expiresAt: bench.now + .hours(1), in: bench.directory, at: bench.now)
        #expect(try await authentication.authenticate(expiring.reveal(), at: bench.now + .minutes(59)) != nil)
        #expect(try await authentication.authenticate(expiring.reveal(), at: bench.now + .hours(1)) == nil)
        let (key, revoked) = try await administration.create(
            .secret, name: "gone", in: bench.directory, at: bench.now)
        try await administration.revoke(key.id, in: bench.directory, at: bench.now)
        #expect(try await authentication.authenticate(revoked.reveal(), at: bench.now) == nil)
        try await administration.revoke(key.id, in: bench.directory, at: bench.now)
    }

    @Test("C-6 Scopes: a secret key has those it was given, all without any; a publishable key has none")
    func scopes() async throws {
        let bench = try await Bench.make()
        let administration = APIKeyAdministration(bench.ports)
        let authentication = APIKeyAuthentication(bench.ports)
        let (_, narrow) = try await administration.create(
            .secret, name: "narrow", scopes: ["activities:read"], in: bench.directory, at: bench.now)
        let (_, wide) = try await administration.create(.secret, name: "wide", in: bench.directory, at: bench.now)
        let (_, open) = try await administration.create(.publishable, name: "app", in: bench.directory, at: bench.now)
        func allowed(_ secret: Secret<String>, _ scope: String) async -> Bool {
            (try? await authentication.require(scope, by: secret.reveal(), in: bench.directory, at: bench.now)) != nil
        }
        #expect(await allowed(narrow, "activities:read"))
        #expect(await !allowed(narrow, "admin:users"))
        #expect(await allowed(wide, "admin:users"))
        #expect(await !allowed(open, "activities:read"))
    }

    @Test("A key of one Directory opens no other, and cannot be revoked through another")
    func isolation() async throws {
        let bench = try await Bench.make()
        let other = try await DirectoryAdministration(bench.ports).create(name: "other", at: bench.now)
        let (key, secret) = try await APIKeyAdministration(bench.ports).create(
            .secret, name: "ours", in: bench.directory, at: bench.now)
        await #expect(throws: AuthError(.apiKeyInvalid)) {
            try await APIKeyAuthentication(bench.ports).require("x", by: secret.reveal(), in: other, at: bench.now)
        }
        await #expect(throws: AuthError(.notFound)) {
            try await APIKeyAdministration(bench.ports).revoke(key.id, in: other, at: bench.now)
        }
    }

    @Test("The last use is written at most once a minute, and a store that can't write refuses nobody")
    func lastUse() async throws {
        let bench = try await Bench.make()
        let (_, secret) = try await APIKeyAdministration(bench.ports).create(
            .secret, name: "busy", in: bench.directory, at: bench.now)
        let store = FailingStore(bench.ports.store)
        let authentication = APIKeyAuthentication(store: store)
        for offset in [0, 10, 59, 60, 90] as [Int64] {
            #expect(try await authentication.authenticate(secret.reveal(), at: bench.now + .seconds(offset)) != nil)
        }
        #expect(store.writes == 2)
        store.refusesWrites = true
        #expect(try await authentication.authenticate(secret.reveal(), at: bench.now + .hours(1)) != nil)
    }

    @Test("A nameless key, a bad scope, an expiry in the past and a strange prefix are refused by field")
    func badInput() async throws {
        let bench = try await Bench.make()
        let administration = APIKeyAdministration(bench.ports)
        func field(
            name: String = "a", scopes: [String] = [], expiresAt: Instant? = nil, prefix: String? = nil
        ) async -> String? {
            do {
                _ = try await administration.create(
                    .secret, name: name, scopes: scopes, expiresAt: expiresAt, prefix: prefix, in: bench.directory,
                    at: bench.now)
                return nil
            } catch { return (error as? AuthError)?.field }
        }
        #expect(await field() == nil)
        #expect(await field(name: "") == "name")
        #expect(await field(name: "a\u{7}") == "name")
        #expect(await field(scopes: ["two words"]) == "scopes")
        #expect(await field(scopes: [""]) == "scopes")
        #expect(await field(expiresAt: bench.now) == "expires_at")
        #expect(await field(prefix: "SB-") == "prefix")
    }
}
