// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import Passwords

@Suite("PasswordHashingPool", .timeLimit(.minutes(10)))
struct PasswordHashingPoolTests {
    private let bcrypt = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"

    @Test("A new hash verifies with its password, in either normalization, and with no other")
    func roundTrip() async throws {
        let pool = HashingBench().pool()
        let hash = try await pool.hash(Secret("Stra\u{df}e M\u{fc}hle"))
        #expect(try await pool.verify(Secret("Stra\u{df}e M\u{fc}hle"), against: hash) == .match(rehash: false))
        #expect(try await pool.verify(Secret("Stra\u{df}e Mu\u{308}hle"), against: hash) == .match(rehash: false))
        for other in ["Straße Muhle", "straße mühle", "Straße Mühle ", "Straße Mühle\0", "", "Strasse Mühle"] {
            #expect(try await pool.verify(Secret(other), against: hash) == .mismatch)
        }
        #expect(try PasswordHash(hash.encoded) == hash)
        #expect(try await pool.hash(Secret("Stra\u{df}e M\u{fc}hle")) != hash)
    }

    @Test("Nothing of a long password is cut off")
    func noTruncation() async throws {
        let pool = HashingBench().pool()
        let long = String(repeating: "pässword ", count: 400)
        let hash = try await pool.hash(Secret(long + "a"))
        #expect(try await pool.verify(Secret(long + "a"), against: hash) == .match(rehash: false))
        #expect(try await pool.verify(Secret(long + "b"), against: hash) == .mismatch)
        #expect(try await pool.verify(Secret(long), against: hash) == .mismatch)
    }

    @Test("R8.11 beside other forms of hashes an attempt costs one hash of each, whoever it is about")
    func eachForm() async throws {
        let pool = HashingBench().pool()
        let own = try await pool.hash(Secret("Gartenzwerg7"))
        let imported = try PasswordHash(bcrypt)
        let dearer = try PasswordHash("$argon2id$v=19$m=8,t=3,p=1$c2FsdHNhbHQ$" + String(repeating: "A", count: 43))
        let held = [imported, own, dearer]
        let cases: [(String, PasswordHash?, PasswordVerdict)] = [
            ("Gartenzwerg7", nil, .mismatch), ("Gartenzwerg8", own, .mismatch),
            ("Gartenzwerg7", own, .match(rehash: false)), ("U*U", imported, .match(rehash: true)),
            ("Gartenzwerg7", imported, .mismatch), ("Gartenzwerg7", dearer, .mismatch),
        ]
        for (password, stored, verdict) in cases {
            let before = pool.hashesComputed
            #expect(try await pool.verify(Secret(password), against: stored, among: held) == verdict)
            #expect(pool.hashesComputed == before + 3)
            let work = [stored ?? own] + PasswordHashingPool.others(than: stored ?? own, in: held)
            #expect(Set(work.map(\.form)) == Set(held.map(\.form)) && work.count == 3)
        }
        // A made-up hash of another form never matches, were its password guessed.
        #expect(try await pool.verify(Secret("U*U"), against: own, among: held) == .mismatch)
        #expect(try await pool.verify(Secret("U*U"), against: nil, among: held) == .mismatch)
    }

    @Test("R8.11 hashes of one kind and cost have one form, and no others do")
    func forms() throws {
        let salt = String(repeating: "C", count: 21)
        let texts = [
            "$2a$05$\(salt).E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", "$2b$05$\(salt).E5YPO9kmyuRGyh0XouQYb4YMJKvyOeX",
            "$2b$06$\(salt).E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
        ]
        let forms = try texts.map { try PasswordHash($0).form }
        #expect(forms[0] == forms[1] && forms[1] != forms[2])
        #expect(PasswordHash(stored: "rubbish").form == "damaged")
        for form in ["argon2id:8:3:1:32", "bcrypt:05", "scrypt:4:8:1", "pbkdf2:1000:2"] {
            let made = try #require(PasswordHash(madeUpOf: form))
            #expect(made.form == form)
            #expect(made.matches(Secret("Gartenzwerg7")) == false)
        }
        let numbers = [Int.min, -1, 0, 5, Int.max].map { String($0) }
        let damaged = ["argon2id:8:3:1:", "bcrypt:", "pbkdf2:1000:", "pbkdf2-sha1:1000:", "digest:32:"]
            .flatMap { start in numbers.map { start + $0 } }
        for form in ["", "damaged", "bcrypt:99", "bcrypt", "argon2id:8:3:1", "scrypt:40:8:1"] + damaged {
            #expect(PasswordHash(madeUpOf: form) == nil, "\(form)")
        }
    }

    @Test("Each attempt costs exactly one hash, whether the user is unknown, wrong, right, or has an imported hash")
    func oneHash() async throws {
        let pool = HashingBench().pool()
        let hash = try await pool.hash(Secret("Gartenzwerg7"))
        #expect(pool.hashesComputed == 1)
        let cases: [(String, PasswordHash?, PasswordVerdict)] = [
            ("Gartenzwerg7", nil, .mismatch),
            ("", nil, .mismatch),
            ("Gartenzwerg8", hash, .mismatch),
            ("Gartenzwerg7", hash, .match(rehash: false)),
            ("U*U", try PasswordHash(bcrypt), .match(rehash: true)),
            ("U*U\0", try PasswordHash(bcrypt), .mismatch),
        ]
        for (index, test) in cases.enumerated() {
            #expect(try await pool.verify(Secret(test.0), against: test.1) == test.2)
            #expect(pool.hashesComputed == 2 + index)
        }
    }

    @Test(
        "R8.1 what is longer than any password is wrong at the cost of one hash, and never made one",
        arguments: [4097, 400_000, 4_000_000])
    func tooLong(octets: Int) async throws {
        let pool = HashingBench().pool()
        let hash = try await pool.hash(Secret(String(repeating: "p", count: 4096)))
        // In the wrong order: to normalize the longest of them would take an hour.
        let marks = "A1a" + String(repeating: "\u{307}\u{323}", count: octets / 4)
        let stored: [PasswordHash?] = [nil, hash, try PasswordHash(bcrypt)]
        for password in [String(repeating: "p", count: octets), marks] {
            for (index, stored) in stored.enumerated() {
                let before = pool.hashesComputed
                #expect(try await pool.verify(Secret(password), against: stored) == .mismatch, "\(index)")
                #expect(pool.hashesComputed == before + 1)
            }
            await #expect(throws: AuthError(.weakPassword)) { try await pool.hash(Secret(password)) }
        }
    }

    @Test("A right password asks for a new hash when the stored one is of another kind or cost, a wrong one never does")
    func rehash() async throws {
        let old = try await HashingBench().pool().hash(Secret("Gartenzwerg7"))
        let pool = HashingBench().pool(parameters: Argon2Parameters(memoryKiB: 16, iterations: 1))
        #expect(try await pool.verify(Secret("Gartenzwerg7"), against: old) == .match(rehash: true))
        #expect(try await pool.verify(Secret("Gartenzwerg8"), against: old) == .mismatch)
        let new = try await pool.hash(Secret("Gartenzwerg7"))
        #expect(try await pool.verify(Secret("Gartenzwerg7"), against: new) == .match(rehash: false))
    }

    @Test("The decoy never matches, not even the password that happens to give it")
    func decoy() async throws {
        let salt = [UInt8](repeating: 5, count: Argon2.saltLength)
        let tag = try #require(
            Argon2Memory().tag(of: Array("guessed".utf8), Argon2(parameters: HashingBench.cost, salt: salt)))
        let pool = HashingBench().pool(random: ScriptedRandom([salt, tag]))
        #expect(try await pool.verify(Secret("guessed"), against: nil) == .mismatch)
        for text in try VectorFiles.naughtyStrings() {
            #expect(try await pool.verify(Secret(text), against: nil) == .mismatch)
        }
    }

    @Test("200 attempts at once all come to their own end, at one hash each")
    func parallel() async throws {
        let pool = HashingBench().pool(threads: 2)
        let hash = try await pool.hash(Secret("Gartenzwerg7"))
        let matches = try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<200 {
                group.addTask {
                    let isRight = index.isMultiple(of: 3)
                    let password = isRight ? "Gartenzwerg7" : "Gartenzwerg\(index)x"
                    return try await pool.verify(Secret(password), against: hash) == .match(rehash: false)
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(matches == 67)
        #expect(pool.hashesComputed == 201)
    }

    @Test("Of 200 attempts at once those beyond the queue are turned away at once and unhashed, with a time to wait")
    func overload() async throws {
        let bench = HashingBench(isHeld: true)
        // One place more than that: the thread at the gate is free.
        let pool = bench.pool(queueLength: 9)
        let stored = try PasswordHash(bcrypt)
        var verdicts = 0
        var refusals = 0
        await withTaskGroup(of: AuthError?.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    await failure {
                        let verdict = try await pool.verify(Secret("U*V"), against: stored)
                        #expect(verdict == .mismatch)
                    }
                }
            }
            for await error in group {
                if let error {
                    #expect(error.code == .overloaded)
                    #expect((error.retryAfter ?? .zero) > .zero)
                    refusals += 1
                    // The ten in the queue wait for this.
                    if refusals == 190 { bench.release() }
                } else {
                    #expect(refusals == 190)
                    verdicts += 1
                }
            }
        }
        #expect(verdicts == 10)
        #expect(refusals == 190)
        #expect(pool.hashesComputed == 10)
    }

    @Test("An attempt that waited longer than the deadline is refused unhashed, with a time to wait; then all is well")
    func deadline() async throws {
        let bench = HashingBench(isHeld: true)
        let pool = bench.pool(deadline: .seconds(5))
        async let late = failure { _ = try await pool.verify(Secret("x"), against: nil) }
        await bench.arrival()
        bench.advance(by: .seconds(6))
        bench.release()
        let error = await late
        #expect(error?.code == .overloaded)
        #expect((error?.retryAfter ?? .zero) > .zero)
        #expect(pool.hashesComputed == 0)
        #expect(try await pool.verify(Secret("x"), against: nil) == .mismatch)
        #expect(pool.hashesComputed == 1)
    }

    @Test("An attempt cancelled while it waits ends at once, unhashed, and leaves its place to another")
    func cancellation() async throws {
        let bench = HashingBench(isHeld: true)
        // Room for one, and for one more while the thread is at the gate.
        let pool = bench.pool(queueLength: 1)
        let first = Task { try await pool.verify(Secret("x"), against: nil) }
        await bench.arrival()
        let second = Task { try await pool.verify(Secret("y"), against: nil) }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        let third = Task { try await pool.verify(Secret("z"), against: nil) }
        bench.release()
        #expect(try await first.value == .mismatch)
        #expect(try await third.value == .mismatch)
        #expect(pool.hashesComputed == 2)
    }

    @Test("1,000 attempts cancelled before, while and after they wait all end, and the pool still hashes")
    func cancellationStorm() async throws {
        let pool = HashingBench().pool(threads: 2, queueLength: 20)
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<1000 {
                group.addTask {
                    let attempt = Task { try await pool.verify(Secret("x"), against: nil) }
                    if index.isMultiple(of: 3) { await Task.yield() }
                    attempt.cancel()
                    switch await attempt.result {
                    case .success(let verdict): #expect(verdict == .mismatch)
                    case .failure(let error):
                        #expect(error is CancellationError || (error as? AuthError)?.code == .overloaded)
                    }
                }
            }
        }
        // No place is lost: as many as fit wait again.
        let verdicts = try await withThrowingTaskGroup(of: PasswordVerdict.self) { group in
            for _ in 0..<20 { group.addTask { try await pool.verify(Secret("x"), against: nil) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(verdicts == Array(repeating: .mismatch, count: 20))
    }

    @Test("A stored hash that can't be read is the server's fault, not a wrong password")
    func damaged() async throws {
        let pool = HashingBench().pool()
        for text in ["", "$argon2id$v=19$m=8,t=0,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA"] {
            let error = await failure { _ = try await pool.verify(Secret("x"), against: PasswordHash(stored: text)) }
            #expect(error?.code == .internalFailure)
        }
    }

    @Test("A pool that is let go ends what it was given first")
    func release() async throws {
        let bench = HashingBench(isHeld: true)
        var pool: PasswordHashingPool? = bench.pool(threads: 3)
        let attempt = Task { [pool] in try await pool?.verify(Secret("x"), against: nil) }
        await bench.arrival()
        pool = nil
        bench.release()
        #expect(try await attempt.value == .mismatch)
    }

    @Test("A cost that could not be read back makes no hash", arguments: [(8, 0), (1 << 19, 1), (4, 1), (8, 11)])
    func unreadableCost(_ memory: UInt32, _ iterations: UInt32) async {
        let pool = HashingBench().pool(parameters: Argon2Parameters(memoryKiB: memory, iterations: iterations))
        let error = await failure { _ = try await pool.hash(Secret("Gartenzwerg7")) }
        #expect(error?.code == .internalFailure)
        #expect(pool.hashesComputed == 0)
    }
}
