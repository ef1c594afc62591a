// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Keys that are known when the program starts, such as those of a configuration file.
public struct FixedAPIKeys: APIKeyLookup {
    private let records: [APIKeyRecord]

    /// - Parameter records: the keys that exist; of two with one digest the last counts.
    public init(_ records: [APIKeyRecord]) {
        self.records = records
    }

    /// Compares with every key, each in constant time: how long it takes says nothing about which one it was.
    public func apiKey(digest: [UInt8]) async -> APIKeyRecord? {
        var found: APIKeyRecord?
        for record in records where constantTimeEqual(record.digest, digest) { found = record }
        return found
    }
}
