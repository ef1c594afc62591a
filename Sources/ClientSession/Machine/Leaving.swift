// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A sign-out that has begun: kept in the store until everything is cleared that it clears, so that the next process
/// finishes what one that died could not.
struct Leaving: Sendable, Hashable {
    /// The session that is over. `nil` for whichever there is.
    var family: String?
    /// Whose local data it is about. `nil` where the process that noted it did not know.
    var subject: String?
    /// `nil` where another user came in their place, and they have chosen what they have chosen before, which the store
    /// says elsewhere (``LocalDataNote``).
    var keepsLocalData: Bool?

    var options: SignOutOptions? { keepsLocalData.map { SignOutOptions(keepsLocalData: $0) } }

    init(family: String?, subject: String? = nil, keepsLocalData: Bool? = nil) {
        self.family = family
        self.subject = subject
        self.keepsLocalData = keepsLocalData
    }

    private static let version: Int64 = 1
    private static let limits = JSONLimits(depth: 1, members: 8, bytes: 4096)

    /// `{"version":1,"family":"…","subject":"…","keeps_local_data":…}`
    var encoded: [UInt8] {
        var record: JSONObject = ["version": .integer(Self.version)]
        record["keeps_local_data"] = keepsLocalData.map { .bool($0) }
        record["family"] = family.map { .string($0) }
        record["subject"] = subject.map { .string($0) }
        return record.serialized()
    }

    /// - Returns: `nil` for anything else, which says nothing of any session.
    init?(decoding bytes: [UInt8]) {
        guard let record = try? JSONObject(parsing: bytes, limits: Self.limits),
            record["version"]?.integerValue == Self.version
        else { return nil }
        let keeps = record["keeps_local_data"]
        guard keeps?.boolValue != nil || keeps == nil && record["family"] != nil else { return nil }
        self.init(
            family: record["family"]?.stringValue, subject: record["subject"]?.stringValue,
            keepsLocalData: keeps?.boolValue)
    }
}
