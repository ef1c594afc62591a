// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Whose local data is on the device: what companions keep.
struct LocalDataNote: Sendable, Hashable {
    /// The claim `sub`.
    var subject: String
    /// The user has signed out and chose to keep it: it is cleared for nobody.
    var isKept = false
    /// Who was there before and chose to keep it, the last one: a process that has not heard of their sign-out yet
    /// clears it for nobody either.
    var keptBefore: String?
    /// Who was there before and did not, and whose companions have not come to an end with clearing theirs: the last
    /// ones.
    var uncleared: [String] = []

    /// What a store holds of it.
    enum Found: Sendable, Hashable {
        case nobody
        case user(LocalDataNote)
        /// There is some, and nobody knows whose.
        case unreadable
    }

    private static let version: Int64 = 1
    private static let limits = JSONLimits(depth: 2, members: 8, bytes: 4096)

    init(subject: String, isKept: Bool = false, keptBefore: String? = nil, uncleared: [String] = []) {
        self.subject = subject
        self.isKept = isKept
        self.keptBefore = keptBefore
        self.uncleared = uncleared.suffix(Self.limits.members)
    }

    /// Whether that user's is on the device by their wish.
    func keeps(_ subject: String?) -> Bool {
        subject != nil && (isKept && Subject.isSame(self.subject, subject) || Subject.isSame(keptBefore, subject))
    }

    func isUncleared(_ subject: String) -> Bool { uncleared.contains { Subject.isSame($0, subject) } }

    /// Whose goes before that user is shown.
    func others(than next: String) -> [String] {
        (uncleared + (isKept ? [] : [subject])).filter { !Subject.isSame($0, next) }
    }

    /// What is noted once that user is there.
    ///
    /// - Parameter uncleared: those of ``others(than:)`` whose is not cleared yet.
    func followed(by next: String, uncleared: [String] = []) -> LocalDataNote {
        let kept = [isKept ? subject : nil, keptBefore].compactMap(\.self)
        return LocalDataNote(
            subject: next, keptBefore: kept.first { !Subject.isSame($0, next) }, uncleared: uncleared)
    }

    /// What is noted once that user's is cleared, or kept by their wish. `nil` where nobody's is left.
    ///
    /// - Parameter subject: `nil` for whoever is noted.
    func released(by subject: String?, keeping isKept: Bool) -> LocalDataNote? {
        var note = self
        if let subject, !Subject.isSame(self.subject, subject) {
            // It has become another user's meanwhile, and stays noted.
            if !isKept, keeps(subject) { note.keptBefore = nil }
            note.uncleared.removeAll { Subject.isSame($0, subject) }
            return note
        }
        note.isKept = true
        if isKept { return note }
        guard let last = uncleared.last else { return keptBefore.map { LocalDataNote(subject: $0, isKept: true) } }
        return LocalDataNote(subject: last, keptBefore: keptBefore, uncleared: uncleared.dropLast())
    }

    /// `{"version":1,"subject":"…","kept":…,"uncleared":["…"],"kept_before":"…"}`
    var encoded: [UInt8] {
        var record: JSONObject = [
            "version": .integer(Self.version), "subject": .string(subject), "kept": .bool(isKept),
        ]
        let shortest = record.serialized()
        if !uncleared.isEmpty { record["uncleared"] = .array(uncleared.map { .string($0) }) }
        let named = record.serialized()
        let short = named.count <= Self.limits.bytes ? named : shortest
        guard let keptBefore else { return short }
        record["kept_before"] = .string(keptBefore)
        let whole = record.serialized()
        // One that nobody can read any more would be somebody else's.
        return whole.count <= Self.limits.bytes ? whole : short
    }

    init?(decoding bytes: [UInt8]) {
        guard let record = try? JSONObject(parsing: bytes, limits: Self.limits),
            record["version"]?.integerValue == Self.version, let subject = record["subject"]?.stringValue,
            let isKept = record["kept"]?.boolValue
        else { return nil }
        self.init(
            subject: subject, isKept: isKept, keptBefore: record["kept_before"]?.stringValue,
            uncleared: (record["uncleared"]?.arrayValue ?? []).compactMap(\.stringValue))
    }
}

extension SessionStore {
    func localDataNote() async throws(SecureStoreError) -> LocalDataNote.Found {
        let bytes: [UInt8]?
        do throws(SecureStoreError) { bytes = try await store.read(.localData) } catch {
            guard case .corrupted = error else { throw error }
            return .unreadable
        }
        guard let bytes else { return .nobody }
        return LocalDataNote(decoding: bytes).map { .user($0) } ?? .unreadable
    }

    func note(_ note: LocalDataNote) async throws(SecureStoreError) {
        try await store.write(note.encoded, for: .localData)
    }

    /// It is cleared, or kept by the user's wish.
    func release(localDataOf subject: String?, keeping isKept: Bool) async throws(SecureStoreError) {
        switch try await localDataNote() {
        case .nobody: return
        case .user(let note):
            guard let next = note.released(by: subject, keeping: isKept) else {
                return try await store.remove(.localData)
            }
            if next.encoded != note.encoded { try await self.note(next) }
        case .unreadable: if !isKept { try await store.remove(.localData) }
        }
    }

    // MARK: Asking again

    func keepAskingAgain() async throws(SecureStoreError) { try await store.write([1], for: .asksAgain) }
    func asksAgain() async -> Bool { (try? await store.read(.asksAgain)) != nil }
    func forgetAskingAgain() async { try? await store.remove(.asksAgain) }
}
