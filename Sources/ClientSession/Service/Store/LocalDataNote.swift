// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Whose local data is on the device: what companions keep.
struct LocalDataNote: Sendable, Hashable {
    /// The claim `sub`.
    var subject: String
    /// The user has signed out and chose to keep it: it is cleared for nobody.
    var isKept = false

    /// What a store holds of it.
    enum Found: Sendable, Hashable {
        case nobody
        case user(LocalDataNote)
        /// There is some, and nobody knows whose.
        case unreadable
    }

    private static let version: Int64 = 1
    private static let limits = JSONLimits(depth: 1, members: 8, bytes: 4096)

    init(subject: String, isKept: Bool = false) {
        self.subject = subject
        self.isKept = isKept
    }

    /// `{"version":1,"subject":"…","kept":…}`
    var encoded: [UInt8] {
        let record: JSONObject = [
            "version": .integer(Self.version), "subject": .string(subject), "kept": .bool(isKept),
        ]
        return record.serialized()
    }

    init?(decoding bytes: [UInt8]) {
        guard let record = try? JSONObject(parsing: bytes, limits: Self.limits),
            record["version"]?.integerValue == Self.version, let subject = record["subject"]?.stringValue,
            let isKept = record["kept"]?.boolValue
        else { return nil }
        self.init(subject: subject, isKept: isKept)
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

    /// It is cleared, or kept by the user's wish. What has become another user's meanwhile stays noted.
    func release(localDataOf subject: String?, keeping isKept: Bool) async throws(SecureStoreError) {
        switch try await localDataNote() {
        case .nobody: return
        case .user(let note) where subject != nil && !Subject.isSame(note.subject, subject): return
        case .user(var note) where isKept:
            note.isKept = true
            try await self.note(note)
        case .user, .unreadable: if !isKept { try await store.remove(.localData) }
        }
    }

    // MARK: Asking again

    func keepAskingAgain() async throws(SecureStoreError) { try await store.write([1], for: .asksAgain) }
    func asksAgain() async -> Bool { (try? await store.read(.asksAgain)) != nil }
    func forgetAskingAgain() async { try? await store.remove(.asksAgain) }
}
