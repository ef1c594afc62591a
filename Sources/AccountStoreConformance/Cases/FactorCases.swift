// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let factors: [ConformanceCase] = [
        ConformanceCase("G-9.1 a factor of each kind comes back as it was written, and as it was changed") { world in
            let ann = try await world.addUser("ann")
            for (index, credential) in try Sample.credentials().enumerated() {
                let factor = Sample.factor("factor-\(index)", of: ann, credential)
                try await world.write { try $0.insert(factor) }
                let stored = try await world.read { try $0.factor(factor.id, in: world.home) }
                try expectSame(stored, factor, "stored")
                try expectSecret(stored, factor)
                var changed = factor
                changed.name = nil
                changed.verifiedAt = nil
                changed.expiresAt = Sample.at(9)
                changed.isEnabled = true
                changed.isPreferred = false
                changed.updatedAt = Sample.at(10)
                changed.lastUsedAt = nil
                changed.lastChallengedAt = nil
                try await world.write { [changed] in try $0.update(changed) }
                try expectSame(try await world.read { try $0.factor(factor.id, in: world.home) }, changed, "changed")
                let elsewhere = try await world.read { try $0.factor(factor.id, in: world.other) }
                try expect(elsewhere == nil, "in another Directory")
                var used = changed
                (used.name, used.lastUsedAt) = ("not written", Sample.at(11))
                try await world.write { [used] in try $0.noteUse(of: used) }
                changed.lastUsedAt = used.lastUsedAt
                try expectSame(try await world.read { try $0.factor(factor.id, in: world.home) }, changed, "used")
                used.lastChallengedAt = Sample.at(12)
                try await world.write { [used] in try $0.noteChallenge(of: used) }
                changed.lastChallengedAt = used.lastChallengedAt
                try expectSame(try await world.read { try $0.factor(factor.id, in: world.home) }, changed, "asked for")
            }
            let listed = try await world.read { try $0.factors(of: ann.id, in: world.home) }
            try expectEqual(listed.map(\.id.rawValue), ["factor-0", "factor-1", "factor-2", "factor-3"], "list")
            let shown = try await world.read { try $0.secondFactors(of: ann.id, in: world.home) }
            // The last one is a passkey.
            try expectEqual(shown, listed.dropLast().map { FactorSummary($0) }, "as shown")
            let several = try await world.read { try $0.factors(of: [ann.id, UserID("none")], in: world.home) }
            try expectEqual(several.mapValues(\.count), [ann.id: 4], "of several")
        },
        ConformanceCase("G-9.1 a name is one factor's of a user, and a credential one user's of a Directory") { world in
            let (ann, ben) = (try await world.addUser("ann"), try await world.addUser("ben"))
            let credentials = try Sample.credentials()
            let (first, second) = (credentials[1], credentials[2])
            try await world.write { tx in
                try tx.insert(Sample.factor("a", of: ann, first).named("phone"))
                try tx.insert(Sample.factor("b", of: ben, first).named("phone"))
                try tx.insert(Sample.factor("c", of: ann, first).named(nil))
                try tx.insert(Sample.factor("d", of: ann, first).named(nil))
                try tx.insert(Sample.factor("e", of: ann, credentials[3]).named("key"))
            }
            try await expectConflict(.duplicate("factor.name"), "insert") {
                try await world.write { try $0.insert(Sample.factor("x", of: ann, second).named("phone")) }
            }
            try await expectConflict(.duplicate("factor.name"), "update") {
                try await world.write { try $0.update(Sample.factor("c", of: ann, first).named("phone")) }
            }
            try await expectConflict(.duplicate("factor.credential"), "credential") {
                try await world.write { try $0.insert(Sample.factor("x", of: ben, credentials[3]).named(nil)) }
            }
            try await expectStale("one that is gone") {
                try await world.write { try $0.update(Sample.factor("none", of: ann, first).named(nil)) }
            }
            try await expectStale("the use of one that is gone") {
                try await world.write { try $0.noteUse(of: Sample.factor("none", of: ann, first)) }
            }
            try await expectStale("the question for one that is gone") {
                try await world.write { try $0.noteChallenge(of: Sample.factor("none", of: ann, first)) }
            }
            guard case .webAuthn(let credential) = credentials[3] else { return }
            let found = try await world.read { try $0.factor(credential: credential.id, in: world.home) }
            try expectEqual(found?.id.rawValue, "e", "by credential")
            let elsewhere = try await world.read { try $0.factor(credential: credential.id, in: world.other) }
            try expect(elsewhere == nil, "in another Directory")
        },
        ConformanceCase("G-9.2 of many that show one code of an app at once, one is heard, and it stays so") { world in
            let ann = try await world.addUser("ann")
            let app = Sample.factor("app", of: ann, try Sample.credentials()[0])
            try await world.write { try $0.insert(app) }
            let answer = SpentCodes.Answer(to: FactorChallengeID("ü asked"), until: Sample.at(300))
            func shown(_ step: Int64, _ answer: SpentCodes.Answer? = nil, after before: SpentCodes) -> Factor {
                var factor = app
                factor.name = "not written"
                factor.lastUsedAt = Sample.at(step)
                factor.spentCodes = before.adding(step, answer, at: Sample.now) { _ in false }
                return factor
            }
            let first = shown(60, answer, after: SpentCodes())
            let winners = try await race(50) { _ in
                try await world.write { try $0.noteUse(of: first, after: SpentCodes()) }
            }
            try expectEqual(winners.count { $0 }, 1, "winners")
            let second = shown(59, after: first.spentCodes)
            try expect(try await world.write { try $0.noteUse(of: second, after: first.spentCodes) }, "another step")
            var expected = app
            (expected.lastUsedAt, expected.spentCodes) = (Sample.at(59), SpentCodes([60, 59], answers: [answer]))
            try expectSame(try await world.read { try $0.factor(app.id, in: world.home) }, expected, "used")
            // Which were shown is no affair of a change.
            var renamed = app
            renamed.name = "renamed"
            try await world.write { [renamed] in try $0.update(renamed) }
            let kept = try await world.read { try $0.factor(app.id, in: world.home)?.spentCodes }
            try expectEqual(kept, expected.spentCodes, "after a change")
        },
        ConformanceCase("G-9.2 a passkey's use is kept where it is stored as it was judged, and counts") { world in
            let ann = try await world.addUser("ann")
            guard case .webAuthn(let credential) = try Sample.credentials()[3] else { return }
            var passkey = Sample.factor("passkey", of: ann, .webAuthn(credential))
            func used(_ count: UInt32, at seconds: Int64) -> Factor {
                var (factor, seen) = (passkey, credential)
                (factor.name, factor.lastUsedAt) = ("not written", Sample.at(seconds))
                (seen.signatureCount, seen.isBackedUp) = (count, false)
                factor.credential = .webAuthn(seen)
                return factor
            }
            let first = used(7, at: 20)
            passkey.isEnabled = false
            try await world.write { [passkey] in try $0.insert(passkey) }
            try expect(
                try await !world.write { try $0.noteUse(of: first, provedBy: credential) }, "one that is put aside")
            passkey.isEnabled = true
            try await world.write { [passkey] in try $0.update(passkey) }
            let winners = try await race(24) { _ in
                try await world.write { try $0.noteUse(of: first, provedBy: credential) }
            }
            try expectEqual(winners.count { $0 }, 1, "winners")
            passkey.lastUsedAt = first.lastUsedAt
            passkey.credential = first.credential
            try expectSame(try await world.read { try $0.factor(first.id, in: world.home) }, passkey, "used")
            var pending = passkey
            pending.verifiedAt = nil
            try await world.write { [pending] in try $0.update(pending) }
            guard case .webAuthn(let seen) = first.credential else { return }
            try expect(
                try await !world.write { try $0.noteUse(of: first, provedBy: seen) }, "one that is being set up")
        },
        ConformanceCase("G-9.3 of many that use one backup code at once, one does") { world in
            let ann = try await world.addUser("ann")
            let codes = Sample.backupCodes("set", of: ann)
            try await world.write { try $0.replace(codes) }
            try expectSame(try await world.read { try $0.backupCodes(of: ann.id, in: world.home) }, codes, "stored")
            let winners = try await race(24) { _ in
                try await world.write {
                    try $0.useBackupCode(codes.codes[0].hash, of: ann.id, in: world.home, at: Sample.at(7))
                }
            }
            try expectEqual(winners.count { $0 }, 1, "winners")
            let used = try await world.read { try $0.backupCodes(of: ann.id, in: world.home) }
            try expectEqual(used?.codes[0].usedAt, Sample.at(7), "used at")
            let strange = try await world.write {
                try $0.useBackupCode(codes.codes[1].hash, of: UserID("ben"), in: world.home, at: Sample.at(7))
            }
            try expect(!strange, "another's")
            let next = Sample.backupCodes("next", of: ann)
            try await world.write { try $0.replace(next) }
            try expectSame(try await world.read { try $0.backupCodes(of: ann.id, in: world.home) }, next, "replaced")
            try expect(try await world.write { try $0.deleteBackupCodes(of: ann.id, in: world.home) }, "deleted")
            try expect(try await world.read { try $0.backupCodes(of: ann.id, in: world.home) } == nil, "gone")
            try expect(try await !world.write { try $0.deleteBackupCodes(of: ann.id, in: world.home) }, "twice")
        },
        ConformanceCase("G-9.4 a challenge comes back, and of many that answer it at once one does") { world in
            let ann = try await world.addUser("ann")
            let credentials = try Sample.credentials()
            try await world.write { try $0.insert(Sample.factor("f", of: ann, credentials[1])) }
            let first = Sample.challenge("first", of: ann, factor: FactorID("f"), at: 1)
            let last = Sample.challenge("last", of: ann, factor: FactorID("f"), at: 2)
            var nobody = Sample.challenge("nobody", of: ann, factor: nil, at: 3)
            nobody.userID = nil
            try await world.write { [nobody] tx in
                for challenge in [first, last, nobody] { try tx.insert(challenge) }
            }
            for challenge in [first, last, nobody] {
                let stored = try await world.read { try $0.factorChallenge(challenge.id, in: world.home) }
                try expectSame(stored, challenge, "stored")
                try expect(
                    try await world.read { try $0.factorChallenge(challenge.id, in: world.other) } == nil, "elsewhere")
            }
            let latest = try await world.read { try $0.latestChallenge(of: FactorID("f"), in: world.home) }
            try expectSame(latest, last, "latest")
            let ofSession = try await world.read {
                try $0.latestChallenge(of: ann.id, holder: last.holder, in: world.home)
            }
            try expectSame(ofSession, last, "latest in a session")
            let ofAnother = try await world.read {
                try $0.latestChallenge(of: ann.id, holder: "another session", in: world.home)
            }
            try expect(ofAnother == nil, "in another session")
            let winners = try await race(24) { _ in
                try await world.write { try $0.use(last.id, in: world.home, at: Sample.at(9)) }
            }
            try expectEqual(winners.count { $0 }, 1, "winners")
            try expect(try await !world.write { try $0.use(first.id, in: world.other, at: Sample.at(9)) }, "elsewhere")
            try await world.write { try $0.deleteChallenges(of: FactorID("f"), in: world.other) }
            try expect(try await world.read { try $0.factorChallenge(first.id, in: world.home) } != nil, "another's")
            try await world.write { try $0.deleteChallenges(of: FactorID("f"), in: world.home) }
            for (id, isLeft) in [(first.id, false), (last.id, false), (nobody.id, true)] {
                let found = try await world.read { try $0.factorChallenge(id, in: world.home) }
                try expectEqual(found != nil, isLeft, "after all of a factor's were deleted")
            }
        },
        ConformanceCase("R14.2 a user's factors, codes and challenges go with them, and the purge takes what is over") {
            world in
            let (ann, ben) = (try await world.addUser("ann"), try await world.addUser("ben"))
            let credentials = try Sample.credentials()
            for user in [ann, ben] {
                try await world.write { tx in
                    var pending = Sample.factor("pending of \(user.id)", of: user, credentials[1]).named(nil)
                    pending.verifiedAt = nil
                    pending.expiresAt = Sample.at(50)
                    try tx.insert(pending)
                    let factor = Sample.factor("factor of \(user.id)", of: user, credentials[0]).named(nil)
                    try tx.insert(factor)
                    try tx.replace(Sample.backupCodes("set of \(user.id)", of: user))
                    try tx.insert(Sample.challenge("of \(user.id)", of: user, factor: factor.id, at: 1))
                }
            }
            func left(_ user: User) async throws -> [Bool] {
                try await world.read { tx in
                    [
                        try !tx.factors(of: user.id, in: world.home).isEmpty,
                        try tx.backupCodes(of: user.id, in: world.home) != nil,
                        try tx.factorChallenge(FactorChallengeID("of \(user.id)"), in: world.home) != nil,
                    ]
                }
            }
            try expectEqual(try await left(ann), [true, true, true], "before")
            _ = try await world.write { try $0.deleteUser(ann.id, in: world.home) }
            try expectEqual(try await left(ann), [false, false, false], "with the user")
            try expectEqual(
                try await world.write { try $0.purgeFactors(expiredBefore: Sample.at(51), limit: 5) }, 1, "purged")
            try expectEqual(
                try await world.write { try $0.purgeFactorChallenges(expiredBefore: Sample.at(500), limit: 5) }, 1,
                "challenges")
            try expectEqual(try await left(ben), [true, true, false], "after the purge")
            try expectEqual(
                try await world.write { try $0.deleteFactors(of: ben.id, in: world.home) }, 1, "all of a user's")
            try expectEqual(try await left(ben), [false, false, false], "after")
        },
    ]

    private static func expectSecret(_ stored: Factor?, _ wanted: Factor) throws(ConformanceFailure) {
        guard case .totp(let secret) = wanted.credential else { return }
        guard case .totp(let found)? = stored?.credential else {
            throw ConformanceFailure(description: "another kind of factor")
        }
        try expectEqual(found.reveal(), secret.reveal(), "secret")
    }
}

extension Factor {
    fileprivate func named(_ name: String?) -> Factor {
        var factor = self
        factor.name = name
        return factor
    }
}
