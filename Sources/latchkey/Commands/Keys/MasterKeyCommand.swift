// SPDX-License-Identifier: Apache-2.0

import AccountStore
import ArgumentParser
import AuthTypes
import Foundation
import ServerKit

/// `latchkey master-key`: generate, status, seal, rotate.
struct MasterKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "master-key", abstract: "The key that the secrets in the database are sealed under.",
        subcommands: [Generate.self, Status.self, Seal.self, Rotate.self])

    struct Generate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a key: on standard output, or in a new file for its owner alone.")
        @Argument(help: "The new file.") var file: String?
        @Option(help: "A file that has keys: the new one goes before them, and is used from the next rotation on.")
        var addTo: String?

        func run() async throws {
            try await reporting {
                let key = MasterKey.generate(random: SystemRandomSource())
                let id = try MasterKeys(parsing: key).current?.id ?? ""
                switch (file, addTo) {
                case (.some, .some): throw CommandFailure("give a new file or --add-to, not both", .usage)
                case (let path?, nil): try MasterKeySource.make(key, at: path)
                case (nil, let path?): try MasterKeySource.add(key, to: path)
                case (nil, nil): Output.line(key.reveal())
                }
                Output.progress("master-key: \(id) made; without it, what it seals is lost: keep a copy elsewhere")
            }
        }
    }

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Say what is sealed, with what, and what is not.")
        @OptionGroup var common: CommonOptions

        func run() async throws {
            try await reporting {
                let place = try await Place.open(common)
                try await place.report(json: common.json)
                try place.store.close()
            }
        }
    }

    struct Seal: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Seal what is in the clear, as a server with a master key does when it starts.")
        @OptionGroup var common: CommonOptions

        func run() async throws {
            try await reporting {
                let place = try await Place.open(common)
                // A server without the key could not go on: the first seal needs the database for itself.
                let isFirst = try await place.store.sealingStatus().keys.isEmpty
                let lock = isFirst ? try place.database.lock() : nil
                if isFirst { try await place.store.requireNoServer() }
                guard try await place.store.beginSealing(at: place.now) else {
                    throw CommandFailure("no master key is given; see latchkey master-key generate", .configuration)
                }
                try await place.sealEverything()
                if isFirst { try await place.writeAnew() }
                withExtendedLifetime(lock) {}
                try await place.report(json: common.json)
                try place.store.close()
            }
        }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Wrap the data keys by the first master key. A running server goes on meanwhile.")
        @OptionGroup var common: CommonOptions
        @Flag(help: "Make a new data key too, and seal every value anew, in small steps that may be interrupted.")
        var reseal = false

        func run() async throws {
            try await reporting {
                let place = try await Place.open(common)
                guard try await !place.store.sealingStatus().keys.isEmpty else {
                    throw CommandFailure("the database is not sealed; see latchkey master-key seal", .conflict)
                }
                let count = try await place.store.rotateMasterKey()
                Output.progress("master-key: \(count) data keys wrapped anew")
                // Of a reseal that was interrupted the data key is there already.
                if reseal, try await place.store.isSealedThroughout() {
                    try await place.store.replaceDataKey(at: place.now)
                }
                try await place.sealEverything()
                try await place.report(json: common.json)
                try place.store.close()
            }
        }
    }

    /// The store, and the keys that are given for it.
    private struct Place {
        let store: any AccountDatabase
        let source: MasterKeySource
        let database: DatabaseLocation
        let now = SystemClock().now()

        static func open(_ common: CommonOptions) async throws -> Place {
            let configuration = try await common.configuration()
            let database = configuration.database
            return Place(
                store: try await database.open(configuration, creating: false, connections: 1).store,
                source: try MasterKeySource.find(configuration, database: database), database: database)
        }

        func sealEverything() async throws {
            guard try await !store.isSealedThroughout() else { return }
            let report = try await store.sealEverything(at: now) { count in
                if count % 10_000 < 200 { Output.progress("master-key: \(count) values sealed") }
            }
            Output.progress("master-key: \(report.sealed) values sealed")
            if report.damaged > 0 {
                Output.progress("master-key: \(report.damaged) values are damaged, and were left as they are")
            }
        }

        /// What stood in the clear must not be left in free space.
        func writeAnew() async throws {
            let left = try await store.rewrite()
            guard !left.isEmpty else { return }
            Output.progress(
                "master-key: what stood in the clear may still be in the free space of \(left.joined(separator: ", ")), which this "
                    + "role may not write anew: VACUUM FULL each, as the tables' owner")
        }

        func report(json: Bool) async throws {
            let status = try await store.sealingStatus()
            let given = try source.read()?.all.map(\.id) ?? []
            guard json else {
                Output.progress("master key: \(given.first ?? "none") (\(source.name))")
                return Output.table(
                    ["COLUMN", "VALUES", "DATA KEY", "MASTER KEY"],
                    status.counts.map { count in
                        [
                            count.column, String(count.count), count.dataKey.map { String($0) } ?? "in the clear",
                            status.keys.first { $0.id == count.dataKey }?.masterKeyID ?? "",
                        ]
                    })
            }
            Output.json([
                "given": .array(given.map { .string($0) }), "source": .string(source.name),
                "dataKeys": .array(
                    status.keys.map {
                        [
                            "id": .integer(Int64($0.id)), "masterKey": .string($0.masterKeyID),
                            "complete": .bool($0.isComplete),
                        ]
                    }),
                "values": .array(
                    status.counts.map {
                        [
                            "column": .string($0.column), "count": .integer(Int64($0.count)),
                            "dataKey": $0.dataKey.map { .integer(Int64($0)) } ?? .null,
                        ]
                    }),
            ])
        }
    }
}
