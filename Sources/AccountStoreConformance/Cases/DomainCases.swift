// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let domains: [ConformanceCase] = [
        ConformanceCase("a domain keeps every field, and names its Directory by itself") { world in
            let prefix = Sample.domain("one", .prefix, in: world.home)
            let custom = Sample.domain("id.one.example", .custom, in: world.home)
            let other = Sample.domain("two", .prefix, in: world.other)
            try await world.write { tx in for domain in [prefix, custom, other] { try tx.insert(domain) } }
            for wanted in [prefix, custom, other] {
                try expectSame(try await world.read { try $0.domain(named: wanted.name) }, wanted, wanted.name)
            }
            for name in ["One", "one.example", ""] {
                try expect(try await world.read { try $0.domain(named: name) } == nil, name)
            }
            try expectSame(try await world.read { try $0.domains(in: world.home) }, [custom, prefix], "of one")
            try expectSame(try await world.read { try $0.domains(in: world.other) }, [other], "of the other")
        },
        ConformanceCase("a name is one domain's of the whole store, and a Directory has one of a kind") { world in
            try await world.write { try $0.insert(Sample.domain("one", .prefix, in: world.home)) }
            for (name, kind, directory, taken) in [
                ("one", .prefix, world.other, "domain.name"), ("one", .custom, world.home, "domain.name"),
                ("two", .prefix, world.home, "domain.kind"),
            ] as [(String, DirectoryDomain.Kind, DirectoryID, String)] {
                try await expectConflict(.duplicate(taken), "\(name) \(kind)") {
                    try await world.write { try $0.insert(Sample.domain(name, kind, in: directory)) }
                }
            }
        },
        ConformanceCase("a domain is changed and deleted in its Directory only") { world in
            let domain = Sample.domain("one", .prefix, in: world.home)
            try await world.write { try $0.insert(domain) }
            var changed = domain
            changed.attributes = ["x": 1]
            changed.updatedAt = Sample.at(20)
            var foreign = changed
            foreign.directoryID = world.other
            try await expectStale("elsewhere") { [foreign] in try await world.write { try $0.update(foreign) } }
            try await world.write { [changed] in try $0.update(changed) }
            try expectSame(try await world.read { try $0.domains(in: world.home) }, [changed], "changed")
            try expect(try await world.write { try !$0.deleteDomain(named: "one", in: world.other) }, "elsewhere")
            try expect(try await world.write { try $0.deleteDomain(named: "one", in: world.home) }, "was there")
            try expect(try await world.write { try !$0.deleteDomain(named: "one", in: world.home) }, "is gone")
        },
    ]
}
