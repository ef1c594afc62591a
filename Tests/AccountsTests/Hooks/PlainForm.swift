// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench

@testable import Accounts

/// A vendor's form that says as little as it can: the moment and the user's identifier; `no` refuses.
struct PlainForm: HookForm {
    static let dialect = DialectName("plain")
    static let hooks: [String: HookMoment] = [:]
    static let timeout: Int64 = 5
    static let needsSecrets = false

    var changes: @Sendable () -> HookChanges = { HookChanges() }

    func body(_ question: HookQuestion, hook _: BlockingHook, id: String) async throws -> [UInt8]? {
        var object: JSONObject = ["moment": .string(question.moment.rawValue), "id": .string(id)]
        object["user"] = question.subject.map { .string($0.user.id.rawValue) }
        return object.serialized()
    }

    func answer(_ reply: HookReply, to _: HookQuestion, hook _: BlockingHook) throws(AuthError) -> HookAnswer {
        switch reply.status {
        case 200: return .allowed(changes())
        case 403: return .refusal("no\u{7}\(String(repeating: "x", count: 5000))")
        default: throw HookFailure.status.error()
        }
    }

    /// One hook for each moment, all of this form.
    static func hooks(_ moments: [HookMoment], _ receiver: HookReceiver, _ form: PlainForm = PlainForm()) -> Hooks {
        let hooks = Hooks(
            blocking: moments.map {
                BlockingHook(
                    name: $0.rawValue, moment: $0, dialect: dialect, directory: "default", secrets: [],
                    caller: receiver)
            })
        hooks.forms.add(form, of: dialect)
        return hooks
    }
}
