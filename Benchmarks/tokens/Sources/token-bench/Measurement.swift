// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import CountAllocations
import Foundation
import JOSE
import JWTKit
import TokenVerifier

/// The contenders on one fixture: the bare signature check, the verifier, the verifier with its cache, and jwt-kit.
struct Measurement {
    let fixture: Fixture
    private let batches = 60
    private let batch = 200

    init(_ fixture: Fixture) {
        self.fixture = fixture
    }

    func run() async throws -> JSONValue {
        var report = JSONObject()
        for entry in fixture.entries { report[entry.algorithm.rawValue] = .object(try await measure(entry)) }
        report["parallel"] = .object(try await parallel())
        return .object(report)
    }

    private func measure(_ entry: Fixture.Entry) async throws -> JSONObject {
        let bytes = Array(entry.token.utf8)
        let raw = try RawVerification(entry)
        let verifier = try makeVerifier(entry, cache: nil)
        let cached = try makeVerifier(entry, cache: VerifiedTokenCache())
        let peer = try await JWTKitVerification(entry)

        // In turns, so that what else the machine does befalls all alike.
        var times: [[Double]] = [[], [], [], []]
        for round in 0..<(batches + batches / 10) {
            let measured = [
                try time { try raw.verify() },
                try time { _ = try verifier.verify(bytes) },
                try time { _ = try cached.verify(bytes) },
                try await timeAsync { try await peer.verify() },
            ]
            guard round >= batches / 10 else { continue }
            for (index, value) in measured.enumerated() { times[index].append(value) }
        }
        let before = latchkey_allocations()
        for _ in 0..<batch { _ = try verifier.verify(bytes) }
        let allocations = Double(latchkey_allocations() - before) / Double(batch)
        let medians = times.map { $0.sorted()[$0.count / 2] }
        return [
            "raw": .number(medians[0]), "verify": .number(medians[1]), "cached": .number(medians[2]),
            "jwtKit": .number(medians[3]), "allocations": .number(allocations),
        ]
    }

    private func makeVerifier(_ entry: Fixture.Entry, cache: VerifiedTokenCache?) throws -> TokenVerifier {
        let keys = try VerificationKeySet([try VerificationKey(try JWK(entry.jwk))])
        let profile = TokenProfile(
            name: "bench",
            rules: TokenRules(
                issuer: Fixture.issuer, audience: .audiences([Fixture.audience]), algorithms: [entry.algorithm],
                types: [.none, .jwt, .accessToken], kind: .access, requiresStatedKind: false),
            keys: keys)
        return TokenVerifier([profile], keys: KeyCatalog(clock: { Fixture.now }), cache: cache, clock: { Fixture.now })
    }

    /// 16 tasks against one, each with the same number of tokens; and the same with the bare signature check, which no
    /// verifier scales better than.
    private func parallel() async throws -> JSONObject {
        guard let entry = fixture.entries.first(where: { $0.algorithm == .es256 }) else { return [:] }
        let verifier = try makeVerifier(entry, cache: nil)
        let raw = try RawVerification(entry)
        let bytes = Array(entry.token.utf8)
        func rate(_ tasks: Int, _ work: @escaping @Sendable () throws -> Void) async throws -> Double {
            let count = 4_000
            let start = ContinuousClock.now
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<tasks {
                    group.addTask { for _ in 0..<count { try work() } }
                }
                try await group.waitForAll()
            }
            return Double(tasks * count) / ((ContinuousClock.now - start) / .seconds(1))
        }
        let ours: @Sendable () throws -> Void = { _ = try verifier.verify(bytes) }
        let bare: @Sendable () throws -> Void = { try raw.verify() }
        _ = try await rate(1, ours)
        return [
            "one": .number(try await rate(1, ours)), "sixteen": .number(try await rate(16, ours)),
            "rawOne": .number(try await rate(1, bare)), "rawSixteen": .number(try await rate(16, bare)),
        ]
    }

    /// Microseconds a call.
    private func time(_ work: () throws -> Void) throws -> Double {
        let start = ContinuousClock.now
        for _ in 0..<batch { try work() }
        return (ContinuousClock.now - start) / .microseconds(1) / Double(batch)
    }

    private func timeAsync(_ work: () async throws -> Void) async throws -> Double {
        let start = ContinuousClock.now
        for _ in 0..<batch { try await work() }
        return (ContinuousClock.now - start) / .microseconds(1) / Double(batch)
    }
}
