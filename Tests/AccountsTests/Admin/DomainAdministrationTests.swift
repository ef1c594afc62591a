// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite("Domains of Directories") struct DomainAdministrationTests {
    @Test("R11.6 a domain names its Directory until it is removed, and the catalog notices at once")
    func life() async throws {
        let bench = try await Bench.make()
        let domains = DomainAdministration(bench.ports)
        let catalog = DirectoryCatalog(store: bench.ports.store)
        for (name, kind) in [("mine", DirectoryDomain.Kind.prefix), ("id.mine.example", .custom)] {
            #expect(try await catalog.directory(ofDomain: name, at: bench.now) == nil)
            _ = try await domains.create(name: name, kind: kind, attributes: ["x": 1], call: bench.call())
            #expect(try await catalog.directory(ofDomain: name, at: bench.now)?.id == bench.directory.id)
        }
        #expect(try await domains.list(call: bench.call()).map(\.name) == ["id.mine.example", "mine"])
        let changed = try await domains.update("mine", call: bench.call()) { $0.attributes["y"] = 2 }
        #expect(changed.attributes == ["x": 1, "y": 2])
        #expect(try await domains.find("mine", call: bench.call())?.of.id == bench.directory.id)
        try await domains.delete("mine", call: bench.call())
        catalog.invalidate()
        #expect(try await catalog.directory(ofDomain: "mine", at: bench.now) == nil)
        #expect(try await domains.find("mine", call: bench.call()) == nil)
    }

    @Test("R11.6 a name is given once, a Directory has one of a kind, and none is changed from elsewhere")
    func once() async throws {
        let bench = try await Bench.make()
        let domains = DomainAdministration(bench.ports)
        _ = try await domains.create(name: "mine", kind: .prefix, call: bench.call())
        let other = try await DirectoryAdministration(bench.ports).create(name: "other", at: bench.now)
        let elsewhere = bench.call().with { $0.directory = other }
        do {
            _ = try await domains.create(name: "second", kind: .prefix, call: bench.call())
            Issue.record("a second prefix was taken")
        } catch let error as AuthError { #expect(error.code == .conflict && error.field == "kind") }
        do {
            _ = try await domains.create(name: "mine", kind: .prefix, call: elsewhere)
            Issue.record("a name was given twice")
        } catch let error as AuthError { #expect(error.code == .conflict && error.field == "domain") }
        await #expect(throws: AuthError(.notFound)) { try await domains.delete("mine", call: elsewhere) }
        await #expect(throws: AuthError(.notFound)) { try await domains.update("mine", call: elsewhere) { _ in } }
        let user = bench.call(actor: .user(UserID("ann")))
        await #expect(throws: AuthError(.forbidden)) { try await domains.delete("mine", call: user) }
        await #expect(throws: AuthError(.forbidden)) {
            try await domains.create(name: "x.example", kind: .custom, call: user)
        }
        #expect(try await domains.find("mine", call: bench.call())?.of.id == bench.directory.id)
    }

    @Test("R11.6 of two who ask for one name at once, one has it")
    func race() async throws {
        let bench = try await Bench.make()
        let domains = DomainAdministration(bench.ports)
        var calls = [bench.call()]
        for number in 0..<7 {
            let other = try await DirectoryAdministration(bench.ports).create(name: "d\(number)", at: bench.now)
            calls.append(bench.call().with { $0.directory = other })
        }
        let made = await withTaskGroup(of: Bool.self) { group in
            for call in calls {
                group.addTask { (try? await domains.create(name: "mine", kind: .prefix, call: call)) != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(made == 1)
    }

    @Test("R11.6 RFC 1123 2.1: what is no host name is no domain, and no address is one")
    func names() {
        let hosts = ["id.example.com", "a.b", "1.example", "x-y.z9"]
        let labels = ["a", "0", "my-app", String(repeating: "a", count: 63)]
        for name in hosts {
            #expect(DirectoryDomain.isName(name, of: .custom) && !DirectoryDomain.isName(name, of: .prefix), "\(name)")
        }
        for name in labels {
            #expect(DirectoryDomain.isName(name, of: .prefix) && !DirectoryDomain.isName(name, of: .custom), "\(name)")
        }
        let neither = [
            "", ".", "a.", ".a", "a..b", "-a", "a-", "A.example", "a_b.example", "ä.example", "a b", "a/b", "a:1",
            "127.0.0.1", "10.1", "*.example", "a.example\n", String(repeating: "a", count: 64),
            String(repeating: "a.", count: 127) + "a",
        ]
        for name in neither {
            for kind in DirectoryDomain.Kind.allCases {
                #expect(!DirectoryDomain.isName(name, of: kind), "\(name.debugDescription) \(kind)")
            }
        }
    }
}
