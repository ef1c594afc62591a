// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import ServerKit
import TestBench
import TestBenchHTTP
import Testing

/// Keeps cookies and follows nothing.
final class HostedBrowser: Sendable {
    private let bench: HostedBench
    private let jar = CookieJar()

    init(_ bench: HostedBench) { self.bench = bench }

    var cookie: String? { jar.headers[.cookie] }

    /// Takes what a `Set-Cookie` field says.
    func take(_ field: String) { jar.take(field) }

    func get(_ path: String, _ query: [(String, String)] = []) async throws -> HTTPBench.Reply {
        let uri = query.isEmpty ? path : path + "?" + HTTPBench.encoded(query)
        return jar.taken(try await bench.send(.get, uri, headers: jar.headers))
    }

    func authorize(_ form: [(String, String)]) async throws -> HTTPBench.Reply {
        try await get("/oauth2/authorize", form)
    }
}

extension HostedBrowser {
    /// Sends one of the account pages' forms as the page itself would.
    func submit(_ path: String, request: String, _ fields: [(String, String)]) async throws -> HTTPBench.Reply {
        let headers = jar.headers
        let name = try #require(BrowserCookies(url: HostedBench.url).browser(in: headers))
        let pending = try await bench.accounts.flows.continueAuthorization.find(
            PendingAuthorizationID(request), browser: name, at: bench.now)
        let directory = try #require(
            try await bench.accounts.flows.directories.directory(pending.directoryID, at: bench.now))
        let place = AccountPlace.path(of: directory)
        let page = String(path.prefix { $0 != "?" })
        let token = FormToken.text(page: page, request: request, browser: name, in: directory)
        let target = path.contains("?") ? path + "&request=" + request : path + "?request=" + request
        return jar.taken(
            try await bench.post(place + target, fields + [(FormToken.field, token)], headers: headers))
    }
}

extension HTTPBench.Reply {
    /// Status and error in a line.
    var outcome: String { "\(status) \(error ?? "")" }
    func text(_ name: String) -> String? { json[name]?.stringValue }
}
