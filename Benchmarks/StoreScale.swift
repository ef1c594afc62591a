// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStoreSQLite
import ArgumentParser
import Foundation

/// What a store with many users costs, against one with few: the same calls, in turns, in one run.
struct StoreScale: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Compare a store of many users with one of few.")

    @Option(help: "Users of the small store.")
    var few = 10_000

    @Option(help: "Users of the large store.")
    var many = 1_000_000

    @Option(help: "Calls of each kind to each store.")
    var calls = 2_000

    @Flag(help: "Seal the large store's secrets: with as many users in both, the difference is what that costs.")
    var sealed = false

    @Option(help: "A directory for the stores; they are removed afterwards.")
    var directory: String

    func run() async throws {
        guard calls <= few else { throw ValidationError("each call needs a user of its own") }
        let small = try await FilledStore(directory + "/few.sqlite", users: few)
        let large = try await FilledStore(directory + "/many.sqlite", users: many, isSealed: sealed)
        var report: [String: [String: Double]] = [:]
        for kind in Kind.allCases {
            var times: (small: [Double], large: [Double]) = ([], [])
            // Both are warmed alike, then asked in turns, so that what else the machine does befalls both.
            for index in 0..<(calls + calls / 10) {
                let first = try await time { try await kind.run(on: small, index: index) }
                let second = try await time { try await kind.run(on: large, index: index) }
                guard index >= calls / 10 else { continue }
                times.small.append(first)
                times.large.append(second)
            }
            report[kind.rawValue] = [
                "few": median(times.small), "many": median(times.large),
            ]
        }
        report["users"] = ["few": Double(few), "many": Double(many)]
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        print(String(decoding: try encoder.encode(report), as: UTF8.self))
        try small.remove()
        try large.remove()
    }

    enum Kind: String, CaseIterable {
        case signInLookup
        case refresh
        case firstPage
        case activities

        func run(on store: FilledStore, index: Int) async throws {
            switch self {
            case .signInLookup: try await store.lookUp(index)
            case .refresh: try await store.refresh(index)
            case .firstPage: try await store.page()
            case .activities: try await store.activities(index)
            }
        }
    }

    /// Microseconds that `work` takes.
    private func time(_ work: () async throws -> Void) async throws -> Double {
        let start = ContinuousClock.now
        try await work()
        return (ContinuousClock.now - start) / .microseconds(1)
    }

    private func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }
}
