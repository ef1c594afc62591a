// SPDX-License-Identifier: Apache-2.0

import AuthTypes

// {"version":1,"subject":"…","validated_at":…,"server_validated_at":…,"seen_at":…,"age":…}, times in microseconds.
extension OfflineStanding {
    /// The only form there is by now.
    private static let version: Int64 = 1
    private static let limits = JSONLimits(depth: 1, members: 16, bytes: 4096)

    /// The record as it is kept under ``SecureStoreKey/lastValidated``.
    ///
    /// - Throws: ``OfflineStandingError/malformed`` for a subject that is longer than a reader takes.
    public func encoded() throws(OfflineStandingError) -> [UInt8] {
        var record: JSONObject = [
            "version": .integer(Self.version), "subject": .string(subject),
            "validated_at": .integer(validatedAt.microseconds), "seen_at": .integer(seenAt.microseconds),
            "age": .integer(age.microseconds),
        ]
        if let serverValidatedAt { record["server_validated_at"] = .integer(serverValidatedAt.microseconds) }
        do { return try record.serialized(within: Self.limits) } catch { throw .malformed }
    }

    /// - Throws: ``OfflineStandingError``. Who meets one has no standing, which is blocked until the service was asked.
    public init(decoding bytes: [UInt8]) throws(OfflineStandingError) {
        let record: JSONObject
        do { record = try JSONObject(parsing: bytes, limits: Self.limits) } catch { throw .malformed }
        guard let version = record["version"]?.integerValue, version > 0 else { throw .malformed }
        guard version <= Self.version else { throw .newerVersion(version) }
        guard let subject = record["subject"]?.stringValue, !subject.isEmpty,
            let validatedAt = record["validated_at"]?.integerValue, let seenAt = record["seen_at"]?.integerValue,
            let age = record["age"]?.integerValue, age >= 0
        else { throw .malformed }
        let server = record["server_validated_at"]
        guard server == nil || server?.integerValue != nil else { throw .malformed }
        self.init(
            subject: subject, validatedAt: Instant(microseconds: validatedAt),
            serverValidatedAt: server?.integerValue.map(Instant.init(microseconds:)),
            seenAt: Instant(microseconds: seenAt), age: TimeSpan(microseconds: age))
    }
}

/// Why a kept record says nothing.
public enum OfflineStandingError: Error, Sendable, Hashable {
    /// What was kept is nothing that this version wrote.
    case malformed
    /// A later version of the app wrote it.
    case newerVersion(Int64)
}
