// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A program of the operator's: notes what it is told or asked, and answers as it is bidden.
public final class HookReceiver: HookCalling {
    public struct Received: Sendable {
        public var fields: [String: String]
        public var body: [UInt8]

        public var object: JSONObject { (try? JSONObject(parsing: body)) ?? [:] }
        public var data: JSONObject { object["data"]?.objectValue ?? [:] }
        public var type: String { object["type"]?.stringValue ?? "" }
        public var id: String { fields["webhook-id"] ?? "" }
    }

    private let notes = Mutex<[Received]>([])
    private let answer: @Sendable (Received) async throws(HookCallFailure) -> HookReply

    public init(
        _ answer: @escaping @Sendable (Received) async throws(HookCallFailure) -> HookReply = { _ in
            HookReply(status: 204)
        }
    ) {
        self.answer = answer
    }

    public var received: [Received] { notes.withLock { $0 } }

    public func post(
        _ body: [UInt8], fields: [(name: String, value: String)]
    ) async throws(HookCallFailure) -> HookReply {
        let received = Received(fields: Dictionary(fields.map { ($0.name, $0.value) }) { $1 }, body: body)
        notes.withLock { $0.append(received) }
        return try await answer(received)
    }
}

extension HookReply {
    /// With JSON.
    public init(_ object: JSONObject, status: Int = 200) { self.init(status: status, body: object.serialized()) }
}
