// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TestBenchHTTP

/// Keeps cookies and follows nothing.
final class Browser: Sendable {
    private let bench: ProviderBench
    private let jar = CookieJar()

    init(_ bench: ProviderBench) { self.bench = bench }

    var cookie: String? { jar.headers[.cookie] }

    /// Takes what a `Set-Cookie` field says.
    func take(_ field: String) { jar.take(field) }

    func get(_ uri: String) async throws -> HTTPBench.Reply {
        jar.taken(try await bench.get(uri, headers: jar.headers))
    }

    func post(_ path: String, _ form: [(String, String)], headers further: HTTPFields = [:]) async throws
        -> HTTPBench.Reply
    {
        var headers = jar.headers
        for field in further { headers.append(field) }
        return jar.taken(try await bench.post(path, form, headers: headers))
    }

    func authorize(_ form: [(String, String)]) async throws -> HTTPBench.Reply {
        try await get("/oauth2/authorize?" + HTTPBench.encoded(form))
    }
}

extension HTTPBench.Reply {
    /// Status and error in a line.
    var outcome: String { "\(status) \(error ?? "")" }
}
