// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite struct ClientAdministrationTests {
    @Test("A client gets an identifier and, if it can keep one, a secret; both are letters and digits")
    func creation() async throws {
        let bench = try await Bench.make()
        let clients = ClientAdministration(bench.ports)
        let open = try await clients.create(name: "App", withSecret: false, call: bench.call())
        let closed = try await clients.create(name: "App", withSecret: true, call: bench.call())
        #expect(open.id != closed.id && !open.isConfidential)
        for text in [open.id.rawValue, closed.id.rawValue, try #require(closed.secrets.first?.text?.reveal())] {
            #expect(text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) })
        }
        #expect(open.id.rawValue.count == 26 && closed.secrets.first?.text?.reveal().count == 52)
        #expect(open.settings == ClientSettings() && open.settings.flows == [.srp, .refresh])
        #expect(try await clients.list(call: bench.call()).map(\.id).sorted() == [open.id, closed.id].sorted())
        #expect(
            try await clients.get(closed.id, call: bench.call()).secrets.first?.text?.reveal()
                == closed.secrets.first?.text?.reveal())
        #expect(!"\(closed)".contains(try #require(closed.secrets.first?.text?.reveal())))
    }

    @Test("A client brought along keeps its identifier, which is one client's of the whole store")
    func imported() async throws {
        let bench = try await Bench.make()
        let clients = ClientAdministration(bench.ports)
        let id = ClientID("app.example-1_x")
        _ = try await clients.create(name: "App", withSecret: false, id: id, call: bench.call())
        let other = try await DirectoryAdministration(bench.ports).create(name: "other", at: bench.now)
        let elsewhere = bench.call().with { $0.directory = other }
        await #expect(throws: AuthError(.conflict)) {
            try await clients.create(name: "App", withSecret: false, id: id, call: elsewhere)
        }
        for bad in ["", "a b", "a/b", "é", String(repeating: "a", count: 129)] {
            await #expect(throws: AuthError(.invalidRequest)) {
                try await clients.create(name: "App", withSecret: false, id: ClientID(bad), call: bench.call())
            }
        }
        // Nothing of it is seen or touched from there.
        await #expect(throws: AuthError(.clientNotFound)) { try await clients.get(id, call: elsewhere) }
        await #expect(throws: AuthError(.clientNotFound)) {
            try await clients.update(id, call: elsewhere) { $0 = ClientSettings() }
        }
        await #expect(throws: AuthError(.clientNotFound)) {
            try await clients.delete(id, call: elsewhere)
        }
        #expect(try await clients.list(call: elsewhere).isEmpty)
    }

    @Test("Changes are written, audited, and noticed by the catalog")
    func changes() async throws {
        let bench = try await Bench.make()
        let clients = ClientAdministration(bench.ports)
        let catalog = ClientCatalog(store: bench.ports.store)
        let made = try await clients.create(name: "App", withSecret: false, call: bench.call())
        #expect(try await catalog.client(made.id, at: bench.now)?.name == "App")
        var settings = ClientSettings()
        settings.flows = [.password]
        settings.attributes = ["callback": ["https://app.example"], "number": 1.5]
        let changed = try await clients.update(made.id, name: "New", call: bench.call()) { [settings] in $0 = settings }
        #expect(changed.version == made.version + 1)
        let stored = try await clients.get(made.id, call: bench.call())
        #expect(stored.name == "New" && stored.settings == settings && stored.version == changed.version)
        // Known for up to five seconds, then read again.
        #expect(try await catalog.client(made.id, at: bench.now + .seconds(1))?.name == "App")
        #expect(try await catalog.client(made.id, at: bench.now + .seconds(5))?.name == "New")
        try await clients.delete(made.id, call: bench.call())
        catalog.invalidate()
        #expect(try await catalog.client(made.id, at: bench.now) == nil)
        #expect(try await catalog.client(ClientID("no such/client"), at: bench.now) == nil)
        await #expect(throws: AuthError(.clientNotFound)) { try await clients.delete(made.id, call: bench.call()) }
        let events = try await bench.ports.store.scan(in: nil) { [id = bench.directory.id] in
            try $0.auditEvents(in: id, actions: [.clientChanged], user: nil, offset: 0, limit: 9)
        }
        #expect(Set(events.flatMap(\.details.names)) == ["created", "updated", "deleted"])
    }

    @Test("A user administers no clients, and what a client may not be set to is refused")
    func refused() async throws {
        let bench = try await Bench.make()
        let clients = ClientAdministration(bench.ports)
        let call = bench.call(actor: .user(UserID("x")))
        await #expect(throws: AuthError(.forbidden)) {
            try await clients.create(name: "App", withSecret: false, call: call)
        }
        await #expect(throws: AuthError(.forbidden)) { try await clients.list(call: call) }
        await #expect(throws: AuthError(.forbidden)) { try await clients.get(ClientID("x"), call: call) }
        await #expect(throws: AuthError(.forbidden)) { try await clients.delete(ClientID("x"), call: call) }
        for change in [
            { $0.accessTokenLifetime = 0 }, { $0.idTokenLifetime = 86_401 }, { $0.refreshTokenLifetime = -1 },
            { $0.rotationGrace = -1 }, { $0.stepLifetime = 0 },
            { $0.authorization.redirectURIs = ["https://app.example/#part"] },
            { $0.authorization.redirectURIs = ["app.example/back"] },
            { $0.authorization.defaultRedirectURI = "https://app.example/ back" },
            { $0.authorization.signOutURIs = Array(repeating: "https://app.example/", count: 101) },
            { $0.authorization.scopes = ["two words"] }, { $0.authorization.identityProviders = [""] },
            { $0.authorization.backchannelLogoutURI = "app:/told" },
        ] as [(inout ClientSettings) -> Void] {
            let settings = ClientSettings().with(change)
            await #expect(throws: AuthError(.invalidRequest)) {
                try await clients.create(name: "App", withSecret: false, settings: settings, call: bench.call())
            }
        }
    }

    @Test("R9.9 A client has two secrets at once while the new one is brought to its machines, and never none")
    func rotation() async throws {
        let bench = try await Bench.make()
        let clients = ClientAdministration(bench.ports)
        let made = try await clients.create(name: "App", withSecret: true, call: bench.call())
        let old = try #require(made.secrets.first)
        let both = try await clients.addSecret(to: made.id, call: bench.call(at: bench.now + .seconds(1)))
        let new = try #require(both.secrets.first)
        #expect(both.secrets.map(\.id) == [new.id, old.id] && new.id != old.id)
        let stored = try await clients.get(made.id, call: bench.call())
        for secret in [old, new] { #expect(stored.hasSecret(try #require(secret.text?.reveal()))) }
        #expect(!stored.hasSecret("") && !stored.hasSecret("another"))
        await #expect(throws: AuthError(.conflict)) { try await clients.addSecret(to: made.id, call: bench.call()) }
        let left = try await clients.removeSecret(old.id, of: made.id, call: bench.call())
        #expect(left.secrets.map(\.id) == [new.id])
        #expect(!left.hasSecret(try #require(old.text?.reveal())))
        await #expect(throws: AuthError(.notFound)) {
            try await clients.removeSecret(old.id, of: made.id, call: bench.call())
        }
        // Anybody could say then that they are the client.
        await #expect(throws: AuthError(.conflict)) {
            try await clients.removeSecret(new.id, of: made.id, call: bench.call())
        }
        let open = try await clients.create(name: "Open", withSecret: false, call: bench.call())
        await #expect(throws: AuthError(.conflict)) { try await clients.addSecret(to: open.id, call: bench.call()) }
        let stranger = bench.call(actor: .user(UserID("x")))
        await #expect(throws: AuthError(.forbidden)) { try await clients.addSecret(to: made.id, call: stranger) }
        await #expect(throws: AuthError(.forbidden)) {
            try await clients.removeSecret(new.id, of: made.id, call: stranger)
        }
    }

    @Test("A Directory's name made from a title is a name, and another one each time")
    func slugs() async throws {
        let random = SystemRandomSource()
        for title in ["My Pool!", "", "日本", "---", "Zoë’s", String(repeating: "a-", count: 90), "UPPER_case.9"] {
            let names = (0..<20).map { _ in DirectoryAdministration.slug(from: title, random: random) }
            #expect(names.allSatisfy(DirectoryAdministration.isName), "\(title)")
            #expect(Set(names).count == 20)
        }
        #expect(DirectoryAdministration.slug(from: "My Pool!", random: random).hasPrefix("my-pool-"))
    }
}
