// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes

/// What a browser keeps of cookies, of one site: names and values.
public final class CookieJar: Sendable {
    private let kept = Mutex<[String: String]>([:])

    public init() {}

    public var cookies: [String: String] {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }

    /// What is sent along: nothing where there are none.
    public var headers: HTTPFields {
        var headers = HTTPFields()
        let line = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        if !line.isEmpty { headers[.cookie] = line }
        return headers
    }

    /// Takes what a `Set-Cookie` field says.
    public func take(_ field: String) {
        let pair = field.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2 else { return }
        let value = field.contains("Max-Age=0") ? nil : String(pair[1])
        kept.withLock { $0[String(pair[0])] = value }
    }

    /// Takes what an answer sets.
    public func taken(_ reply: HTTPBench.Reply) -> HTTPBench.Reply {
        for field in reply.headers[values: .setCookie] { take(field) }
        return reply
    }
}
