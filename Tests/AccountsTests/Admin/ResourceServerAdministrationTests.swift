// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite("Resource servers and their scopes") struct ResourceServerAdministrationTests {
    private static let scopes = ["read", "write"].map { ResourceServer.Scope(name: $0, description: "To \($0)") }

    @Test("R11.6 a resource server is registered, changed and removed, each time with a line in the log")
    func life() async throws {
        let bench = try await Bench.make()
        let servers = ResourceServerAdministration(bench.ports)
        let made = try await servers.create(identifier: "api", name: "API", scopes: Self.scopes, call: bench.call())
        #expect(made.scopeTexts == ["api/read", "api/write"])
        await #expect(throws: AuthError(.conflict)) {
            try await servers.create(identifier: "api", name: "Other", scopes: [], call: bench.call())
        }
        let changed = try await servers.update("api", name: "Other", scopes: [], call: bench.call())
        #expect(try await servers.list(call: bench.call()) == [changed])
        #expect(try await servers.get("api", call: bench.call()) == changed && changed.scopes.isEmpty)
        try await servers.delete("api", call: bench.call())
        let id = bench.directory.id
        let events = try await bench.ports.store.scan(in: id) {
            try $0.auditEvents(in: id, actions: [.resourceServerChanged], user: nil, offset: 0, limit: 9)
        }
        #expect(Set(events.flatMap(\.details.names)) == ["created", "updated", "deleted"])
        await #expect(throws: AuthError(.notFound)) { try await servers.get("api", call: bench.call()) }
        await #expect(throws: AuthError(.notFound)) { try await servers.delete("api", call: bench.call()) }
        await #expect(throws: AuthError(.notFound)) {
            try await servers.update("api", name: "x", scopes: [], call: bench.call())
        }
    }

    @Test("R11.6 nobody but an operator changes them, and no Directory sees another's")
    func walls() async throws {
        let bench = try await Bench.make()
        let servers = ResourceServerAdministration(bench.ports)
        _ = try await servers.create(identifier: "api", name: "API", scopes: Self.scopes, call: bench.call())
        let user = bench.call(actor: .user(UserID("ann")))
        await #expect(throws: AuthError(.forbidden)) {
            try await servers.create(identifier: "b", name: "B", scopes: [], call: user)
        }
        await #expect(throws: AuthError(.forbidden)) { try await servers.list(call: user) }
        await #expect(throws: AuthError(.forbidden)) { try await servers.delete("api", call: user) }
        let other = try await DirectoryAdministration(bench.ports).create(name: "other", at: bench.now)
        let elsewhere = bench.call().with { $0.directory = other }
        await #expect(throws: AuthError(.notFound)) { try await servers.get("api", call: elsewhere) }
        await #expect(throws: AuthError(.notFound)) { try await servers.delete("api", call: elsewhere) }
        #expect(try await servers.list(call: elsewhere).isEmpty)
    }

    @Test("R11.6 what is no identifier, name or list of scopes is refused")
    func refused() async throws {
        let bench = try await Bench.make()
        let servers = ResourceServerAdministration(bench.ports)
        for identifier in ["", "a b", "ä", "a\"b", "a\\b", String(repeating: "a", count: 257)] {
            await #expect(throws: AuthError(.invalidRequest), "\(identifier)") {
                try await servers.create(identifier: identifier, name: "API", scopes: [], call: bench.call())
            }
        }
        let bad: [[ResourceServer.Scope]] = [
            [.init(name: "a/b", description: "x")], [.init(name: "", description: "x")],
            [.init(name: "a", description: "")],
            [.init(name: "a", description: "x"), .init(name: "a", description: "y")],
            (0...100).map { .init(name: "s\($0)", description: "x") },
        ]
        for scopes in bad {
            await #expect(throws: AuthError(.invalidRequest), "\(scopes.count)") {
                try await servers.create(identifier: "api", name: "API", scopes: scopes, call: bench.call())
            }
        }
        await #expect(throws: AuthError(.invalidRequest)) {
            try await servers.create(identifier: "api", name: "", scopes: [], call: bench.call())
        }
        #expect(try await servers.list(call: bench.call()).isEmpty)
    }

    @Test("R11.6 a client is registered for scopes that there are, where its dialect says so")
    func registered() async throws {
        let bench = try await Bench.make()
        let (servers, clients) = (ResourceServerAdministration(bench.ports), ClientAdministration(bench.ports))
        let rule = ScopeRule.ofResourceServers(besides: ["openid"])
        var settings = ClientSettings()
        settings.authorization.scopes = ["openid", "api/read"]
        let wanted = settings
        await #expect(throws: UnknownScope(scope: "api/read")) {
            try await clients.create(
                name: "A", withSecret: false, settings: wanted, scopes: rule, call: bench.call())
        }
        _ = try await servers.create(identifier: "api", name: "API", scopes: Self.scopes, call: bench.call())
        let client = try await clients.create(
            name: "A", withSecret: false, settings: wanted, scopes: rule, call: bench.call())
        await #expect(throws: UnknownScope(scope: "api/delete")) {
            try await clients.update(client.id, scopes: rule, call: bench.call()) {
                $0.authorization.scopes = ["api/write", "api/delete"]
            }
        }
        // Where an operator names them by hand, they are what client and API agree on.
        _ = try await clients.update(client.id, call: bench.call()) { $0.authorization.scopes = ["anything"] }
        // Another Directory's are none of this one's.
        let other = try await DirectoryAdministration(bench.ports).create(name: "other", at: bench.now)
        await #expect(throws: UnknownScope(scope: "api/read")) {
            try await clients.create(
                name: "A", withSecret: false, settings: wanted, scopes: rule,
                call: bench.call().with { $0.directory = other })
        }
    }

    @Test("R11.6 a scope that goes is no client's any more, and stays gone when one of its name comes")
    func taken() async throws {
        let bench = try await Bench.make()
        let (servers, clients) = (ResourceServerAdministration(bench.ports), ClientAdministration(bench.ports))
        for name in ["api", "api/v2"] {
            _ = try await servers.create(identifier: name, name: "API", scopes: Self.scopes, call: bench.call())
        }
        var settings = ClientSettings()
        settings.authorization.scopes = ["openid", "api/read", "api/write", "api/v2/read"]
        let id = try await clients.create(name: "A", withSecret: false, settings: settings, call: bench.call()).id
        func scopes() async throws -> [String] {
            try await clients.get(id, call: bench.call()).settings.authorization.scopes
        }
        _ = try await servers.update("api", name: "API", scopes: [Self.scopes[1]], call: bench.call())
        #expect(try await scopes() == ["openid", "api/write", "api/v2/read"])
        try await servers.delete("api/v2", call: bench.call())
        #expect(try await scopes() == ["openid", "api/write"])
        _ = try await servers.create(identifier: "api/v2", name: "API", scopes: Self.scopes, call: bench.call())
        #expect(try await scopes() == ["openid", "api/write"])
    }
}
