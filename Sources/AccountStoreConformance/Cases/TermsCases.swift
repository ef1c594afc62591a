// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let terms: [ConformanceCase] = [
        ConformanceCase("G-11 a version of terms keeps every field, in order of name and of when it takes effect") {
            world in
            let later = try Sample.terms("a", "1", in: world.home, effectiveAt: Sample.at(9))
            let first = try Sample.terms("a", "2", in: world.home, effectiveAt: Sample.at(3))
            var bare = try Sample.terms("b", "1", in: world.home)
            (bare.kind, bare.isDemanded, bare.texts) = (.purpose, false, ["en": Terms.Text(title: "t")])
            let elsewhere = try Sample.terms("a", "1", in: world.other)
            try await world.write { [bare] tx in
                for terms in [bare, later, first, elsewhere] { try tx.insert(terms) }
            }
            try expectEqual(try await world.read { try $0.terms(in: world.home) }, [first, later, bare], "in order")
            try expectEqual(try await world.read { try $0.terms(in: world.other) }, [elsewhere], "elsewhere")
        },
        ConformanceCase("G-11 a version is given once, and no two of a name take effect at once") { world in
            let terms = try Sample.terms("a", "1", in: world.home)
            try await world.write { try $0.insert(terms) }
            try await expectConflict(.duplicate("terms.version"), "version") {
                try await world.write {
                    try $0.insert(try Sample.terms("a", "1", in: world.home, effectiveAt: Sample.at(9)))
                }
            }
            try await expectConflict(.duplicate("terms.effective_at"), "time") {
                try await world.write { try $0.insert(try Sample.terms("a", "2", in: world.home)) }
            }
            try await world.write { try $0.insert(try Sample.terms("b", "1", in: world.home)) }
        },
        ConformanceCase("G-11 of a version is changed whether it is demanded, and it is deleted in its Directory only")
        {
            world in
            let terms = try Sample.terms("a", "1", in: world.home)
            try await world.write { try $0.insert(terms) }
            var changed = terms
            changed.isDemanded = false
            var foreign = changed
            foreign.directoryID = world.other
            try await expectStale("elsewhere") { [foreign] in try await world.write { try $0.update(foreign) } }
            try await world.write { [changed] in try $0.update(changed) }
            try expectEqual(try await world.read { try $0.terms(in: world.home) }, [changed], "changed")
            let reference = terms.reference
            try expect(try await world.write { try !$0.deleteTerms(reference, in: world.other) }, "elsewhere")
            try expect(try await world.write { try $0.deleteTerms(reference, in: world.home) }, "was there")
            try expect(try await world.write { try !$0.deleteTerms(reference, in: world.home) }, "is gone")
        },
        ConformanceCase("R14.8 what a user has said is kept, the newest first, and the latest of a name is found") {
            world in
            let (user, other) = (try await world.addUser("ann"), try await world.addUser("bob"))
            let said = try [
                Sample.agreement(1, to: "a", by: user, at: Sample.at(1)),
                Sample.agreement(1, to: "b", by: user, at: Sample.at(1)),
                Sample.agreement(2, to: "a", by: user, at: Sample.at(2)),
            ]
            var bare = try Sample.agreement(1, to: "a", by: other, at: Sample.at(1))
            (bare.isGiven, bare.dialect, bare.clientID, bare.occasion) = (false, nil, nil, .account)
            try await world.write { [bare] tx in for one in said + [bare] { try tx.insert(one) } }
            func page(_ position: AgreementPosition?, _ limit: Int) async throws -> [Agreement] {
                try await world.read {
                    try $0.agreements(of: user.id, in: world.home, after: position, limit: limit)
                }
            }
            try expectEqual(try await page(nil, 9), [said[2], said[1], said[0]], "all")
            try expectEqual(try await page(said[2].position, 1), [said[1]], "the next")
            try expectEqual(try await page(said[1].position, 9), [said[0]], "the rest")
            let latest = try await world.read { try $0.agreement(of: user.id, to: "a", in: world.home) }
            try expectEqual(latest, said[2], "the latest")
            let first = try await world.read {
                try $0.agreement(of: user.id, to: "a", sequence: 1, in: world.home)
            }
            try expectEqual(first, said[0], "by its number")
            let others = try await world.read { try $0.agreement(of: other.id, to: "a", in: world.home) }
            try expectEqual(others, bare, "another's")
            let nothing = try await world.read { try $0.agreement(of: user.id, to: "a", in: world.other) }
            try expectEqual(nothing, nil, "elsewhere")
            try await expectConflict(.duplicate("agreement.sequence"), "the same number again") {
                try await world.write { try $0.insert(said[0]) }
            }
        },
        ConformanceCase("G-10.4 what a user has said goes with them, and so many at a time; nobody else's does") {
            world in
            let (user, other) = (try await world.addUser("ann"), try await world.addUser("bob"))
            try await world.write { tx in
                for owner in [user, other] {
                    for number in 1...3 { try tx.insert(try Sample.agreement(Int64(number), to: "a", by: owner)) }
                }
            }
            for expected in [2, 1, 0] {
                let count = try await world.write { try $0.eraseAgreements(of: user.id, in: world.home, limit: 2) }
                try expectEqual(count, expected, "rows")
            }
            func left(_ user: User) async throws -> Int {
                try await world.read { try $0.agreements(of: user.id, in: world.home, after: nil, limit: 9).count }
            }
            try expectEqual(try await left(other), 3, "another's")
            try await world.write { try $0.deleteAgreements(of: other.id, in: world.home) }
            try expectEqual(try await left(other), 0, "all at once")
            try await world.write { try $0.insert(try Sample.agreement(1, to: "a", by: user)) }
            _ = try await world.write { try $0.deleteUser(user.id, in: world.home) }
            try expectEqual(try await left(user), 0, "with the user's row")
        },
    ]
}

extension Sample {
    static func terms(
        _ name: String, _ version: String, in directory: DirectoryID, effectiveAt: Instant = at(5)
    ) throws -> Terms {
        Terms(
            directoryID: directory, reference: try reference(name, version), kind: .document, isDemanded: true,
            texts: [
                "en": Terms.Text(title: "“Σ” 🧘", url: "https://example.com/\(name)"), "de": Terms.Text(title: "T"),
            ], effectiveAt: effectiveAt, createdAt: at(4))
    }

    static func agreement(
        _ sequence: Int64, to name: String, by user: User, at time: Instant = at(1)
    ) throws -> Agreement {
        Agreement(
            directoryID: user.directoryID, userID: user.id, terms: try reference(name, "v\(sequence)"),
            sequence: sequence, isGiven: true, occasion: .signUp, dialect: DialectName("one"),
            clientID: ClientID("client"), at: time)
    }

    private static func reference(_ name: String, _ version: String) throws -> TermsReference {
        guard let reference = TermsReference(name: name, version: version) else {
            throw AuthError(.internalFailure, reason: "a sample that is no word")
        }
        return reference
    }
}
