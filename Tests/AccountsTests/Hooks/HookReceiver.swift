// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Synchronization

/// A program of the operator's: notes what it is told, and answers as it is bidden.
final class HookReceiver: HookCalling {
    struct Received: Sendable {
        var fields: [String: String]
        var body: [UInt8]

        var object: JSONObject { (try? JSONObject(parsing: body)) ?? [:] }
        var data: JSONObject { object["data"]?.objectValue ?? [:] }
        var type: String { object["type"]?.stringValue ?? "" }
        var id: String { fields["webhook-id"] ?? "" }
    }

    private let notes = Mutex<[Received]>([])
    private let answer: @Sendable (Received) async throws(HookCallFailure) -> HookReply

    init(
        _ answer: @escaping @Sendable (Received) async throws(HookCallFailure) -> HookReply = { _ in
            HookReply(status: 204)
        }
    ) {
        self.answer = answer
    }

    var received: [Received] { notes.withLock { $0 } }

    func post(
        _ body: [UInt8], fields: [(name: String, value: String)]
    ) async throws(HookCallFailure) -> HookReply {
        let received = Received(fields: Dictionary(fields.map { ($0.name, $0.value) }) { $1 }, body: body)
        notes.withLock { $0.append(received) }
        return try await answer(received)
    }
}
