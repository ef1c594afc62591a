// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import ServerKit
import Synchronization
import TestBench
import TestBenchHTTP
import Testing

/// Keeps cookies and follows nothing.
final class HostedBrowser: Sendable {
    private let bench: HostedBench
    private let cookies = Mutex<[String: String]>([:])

    init(_ bench: HostedBench) { self.bench = bench }

    var cookie: String? {
        let cookies = cookies.withLock { $0 }
        return cookies.isEmpty
            ? nil : cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    }

    /// Takes what a `Set-Cookie` field says.
    func take(_ field: String) {
        let pair = (field.split(separator: ";").first ?? "").split(separator: "=", maxSplits: 1)
        guard let name = pair.first else { return }
        let isGone = field.contains("Max-Age=0")
        cookies.withLock { $0[String(name)] = isGone ? nil : pair.count > 1 ? String(pair[1]) : nil }
    }

    func get(_ path: String, _ query: [(String, String)] = []) async throws -> HTTPBench.Reply {
        var headers = HTTPFields()
        headers[.cookie] = cookie
        let uri = query.isEmpty ? path : path + "?" + HostedBench.encoded(query)
        let reply = try await bench.send(.get, uri, headers: headers)
        for field in reply.headers[values: .setCookie] { take(field) }
        return reply
    }

    func authorize(_ form: [(String, String)]) async throws -> HTTPBench.Reply {
        try await get("/oauth2/authorize", form)
    }
}

extension HostedBrowser {
    /// Sends one of the account pages' forms as the page itself would.
    func submit(_ path: String, request: String, _ fields: [(String, String)]) async throws -> HTTPBench.Reply {
        var headers = HTTPFields()
        headers[.cookie] = cookie
        let name = try #require(BrowserCookies(url: HostedBench.url).browser(in: headers))
        let pending = try await bench.accounts.flows.continueAuthorization.find(
            PendingAuthorizationID(request), browser: name, at: bench.now)
        let directory = try #require(
            try await bench.accounts.flows.directories.directory(pending.directoryID, at: bench.now))
        let place = AccountPlace.path(of: directory)
        let page = String(path.prefix { $0 != "?" })
        let token = FormToken.text(page: page, request: request, browser: name, in: directory)
        let target = path.contains("?") ? path + "&request=" + request : path + "?request=" + request
        let reply = try await bench.post(place + target, fields + [(FormToken.field, token)], headers: headers)
        for field in reply.headers[values: .setCookie] { take(field) }
        return reply
    }
}

extension HTTPBench.Reply {
    var location: String? { headers[.location] }
    var error: String? { json["error"]?.stringValue }
    /// Status and error in a line.
    var outcome: String { "\(status) \(error ?? "")" }
    func text(_ name: String) -> String? { json[name]?.stringValue }

    /// The page that the browser is sent to, without what it is about.
    var page: String? { location.map { String($0.prefix { $0 != "?" }) } }

    /// What the answer brings the client: the parameters of the redirect.
    var answer: [String: String] {
        guard let location, let start = location.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return [:] }
        var values: [String: String] = [:]
        for pair in location[location.index(after: start)...].split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1).map { Self.decoded($0) }
            values[parts[0]] = parts.count > 1 ? parts[1] : ""
        }
        return values
    }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let octet = Hex.decode(String(decoding: rest.prefix(2), as: UTF8.self))?.first
            {
                bytes.append(octet)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
