// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation

@testable import IdentityProviders

/// Answers by URL without any network, and remembers what it was asked.
final class ScriptedNetwork: OutwardCalling {
    private struct State {
        var answers: [String: OutwardAnswer] = [:]
        var failures: [String: OutwardFailure] = [:]
        var calls: [OutwardCall] = []
    }

    private let state = Mutex(State())

    var calls: [OutwardCall] { state.withLock(\.calls) }

    func answer(_ url: String, status: Int = 200, type: String = "application/json", _ body: JSONObject) {
        answer(url, status: status, type: type, text: body.text)
    }

    func answer(_ url: String, status: Int = 200, type: String = "application/json", text: String) {
        state.withLock {
            $0.failures[url] = nil
            $0.answers[url] = OutwardAnswer(status: status, type: type, body: Array(text.utf8))
        }
    }

    func fail(_ url: String, _ failure: OutwardFailure) { state.withLock { $0.failures[url] = failure } }

    func send(_ call: OutwardCall, for _: String?) async throws(OutwardFailure) -> OutwardAnswer {
        let (answer, failure) = state.withLock { state in
            state.calls.append(call)
            let url = String(call.url.prefix { $0 != "?" })
            return (state.answers[url], state.failures[url])
        }
        if let failure { throw failure }
        guard let answer else { throw .unreachable }
        return answer
    }
}

extension OutwardCall {
    /// The members of a form.
    var form: [String: String] {
        var members: [String: String] = [:]
        for member in String(decoding: body, as: UTF8.self).split(separator: "&") {
            let parts = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            members[parts[0]] = parts.count == 2 ? parts[1].replacing("+", with: " ").removingPercentEncoding : ""
        }
        return members
    }

    func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }
}
