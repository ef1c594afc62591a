// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// What the device keeps for the synchronization of users: who somebody of the provider's is in the user pool, and what
/// waits. It holds tokens, and so belongs into the secure store.
struct SyncMemory: Sendable {
    struct Waiting: Sendable, Hashable {
        var provider: String
        /// The provider's own name for the user.
        var subject: String
        var idToken: String
        var nonce: String?
        var attempts: Int
        var notBefore: Instant
    }

    static let key = SecureStoreKey(rawValue: "auth.hybrid.synchronization")
    /// More people than that share no device; the first to come are the first to go.
    static let limit = 32

    /// By the provider's subject, in the order in which they came.
    var known: [(subject: String, user: String)] = []
    var waiting: [Waiting] = []

    init() {}

    init?(_ bytes: [UInt8]) {
        guard let members = try? JSONObject(parsing: bytes, limits: JSONLimits(depth: 4, members: 100, bytes: 1 << 20)),
            members["version"] == 1
        else { return nil }
        for entry in members["known"]?.arrayValue ?? [] {
            let pair = entry.arrayValue?.compactMap(\.stringValue) ?? []
            if pair.count == 2 { known.append((pair[0], pair[1])) }
        }
        for entry in members["waiting"]?.arrayValue?.compactMap(\.objectValue) ?? [] {
            guard let provider = entry["provider"]?.stringValue, let subject = entry["subject"]?.stringValue,
                let idToken = entry["idToken"]?.stringValue
            else { continue }
            waiting.append(
                Waiting(
                    provider: provider, subject: subject, idToken: idToken, nonce: entry["nonce"]?.stringValue,
                    attempts: Int(clamping: entry["attempts"]?.integerValue ?? 0),
                    notBefore: Instant(microseconds: entry["notBefore"]?.integerValue ?? 0)))
        }
    }

    var bytes: [UInt8] {
        let waiting: [JSONValue] = waiting.map { entry in
            var members: JSONObject = [
                "provider": .string(entry.provider), "subject": .string(entry.subject),
                "idToken": .string(entry.idToken), "attempts": .integer(Int64(entry.attempts)),
                "notBefore": .integer(entry.notBefore.microseconds),
            ]
            members["nonce"] = entry.nonce.map { .string($0) }
            return .object(members)
        }
        return JSONObject(
            dictionaryLiteral: ("version", 1),
            ("known", .array(known.map { .array([.string($0.subject), .string($0.user)]) })),
            ("waiting", .array(waiting))
        ).serialized()
    }

    func user(of subject: String) -> String? { known.first { $0.subject.utf8.elementsEqual(subject.utf8) }?.user }

    mutating func learn(_ subject: String, is user: String) {
        known.removeAll { $0.subject.utf8.elementsEqual(subject.utf8) }
        known.append((subject, user))
        if known.count > Self.limit { known.removeFirst() }
    }

    /// The newest word on somebody is the one that counts.
    mutating func wait(_ entry: Waiting) {
        forget(entry.subject)
        waiting.append(entry)
        if waiting.count > Self.limit { waiting.removeFirst() }
    }

    mutating func forget(_ subject: String) {
        waiting.removeAll { $0.subject.utf8.elementsEqual(subject.utf8) }
    }
}
