// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

@testable import Accounts

@Suite("Factors on the way to another server")
struct FactorTransferTests {
    @Test("R14.2 an export carries the factors that count, and whoever is imported is asked for the same codes")
    func roundTrip() async throws {
        let (old, new) = (try await FactorBench(), try await FactorBench())
        let owner = try await old.owner()
        _ = try await EnrolFactor(old.ports)(.totp(issuer: nil), named: "begun", for: owner.session, call: old.open())
        let lines = Lines()
        _ = try await UserExport(store: old.base.store).run(from: old.call().directory) { await lines.add($0) }
        let written = await lines.all
        let reading = Lines(written)
        let summary = try await UserImport(store: new.base.store, random: new.ports.random, dialects: []).run(
            into: new.call().directory, at: new.base.now, nextLine: { await reading.next() })
        #expect(summary.imported == 1 && summary.faults == 0, "\(written)")
        let factors = try await new.base.store.read {
            try $0.factors(of: owner.user.id, in: new.base.base.directory.id)
        }
        #expect(factors.map(\.name) == ["app"] && factors.map(\.isVerified) == [true])
        guard case .totp(let secret) = factors.first?.credential else { return }
        #expect(secret.reveal() == owner.secret.reveal())
    }

    @Test(
        "R14.2 a line whose factors are none is refused",
        arguments: [
            #"{"kind":"fax"}"#, #"{"kind":"totp","verified_at":"2026-01-01T00:00:00Z"}"#,
            #"{"kind":"totp","secret":"GEZDGNBVGY3TQOJQ"}"#,
            #"{"kind":"totp","secret":"A","verified_at":"2026-01-01T00:00:00Z"}"#,
            #"{"kind":"phone","phone":"x","verified_at":"2026-01-01T00:00:00Z"}"#,
            #"{"kind":"webauthn","credential":{},"verified_at":"2026-01-01T00:00:00Z"}"#, "1",
        ])
    func refused(_ factor: String) async throws {
        let bench = try await FactorBench()
        let line = #"{"id":"3f0e8a52-6f0c-4f0e-9a37-4a2f6a0c1b11","email":"a@example.com","factors":[\#(factor)]}"#
        #expect(throws: AuthError.self) {
            try TransferRecord(
                parsing: line, directory: bench.call().directory, dialects: [], random: bench.ports.random,
                at: bench.base.now)
        }
    }
}

private actor Lines {
    private(set) var all: [String]

    init(_ all: [String] = []) { self.all = all }

    func add(_ line: String) { all.append(line) }
    func next() -> String? { all.isEmpty ? nil : all.removeFirst() }
}
