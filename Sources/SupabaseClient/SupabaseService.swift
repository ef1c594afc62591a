// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// Asks the project's Auth API, and reads what it says within bounds.
struct SupabaseService: Sendable {
    private let address: String
    private let key: String
    private let transport: any HTTPTransport

    /// What is read of an answer: a session with two tokens and a user with all that is kept of one.
    static let limits = JSONLimits(depth: 24, members: 2_000, bytes: 1 << 20)

    init(_ configuration: SupabaseConfiguration, transport: any HTTPTransport) {
        var address = configuration.address[...]
        while address.hasSuffix("/") { address.removeLast() }
        self.address = String(address)
        key = configuration.publishableKey
        self.transport = transport
    }

    /// An answer that says yes.
    struct Answer: Sendable {
        var members: JSONObject
        var serverDate: Instant?
    }

    /// - Parameters:
    ///   - query: only those with a value are sent.
    ///   - token: of the user, where the operation is one of theirs.
    func ask(
        _ method: String, _ path: String, query: [(String, String?)] = [], _ body: JSONObject? = nil,
        token: Secret<String>? = nil, refreshing: Bool = false
    ) async throws(AuthError) -> Answer {
        let response = try await send(method, url(path, query), body, token: token)
        let members = try? JSONObject(parsing: response.body, limits: Self.limits)
        if response.status == 204 { return Answer(members: [:], serverDate: response.date) }
        guard (200...201).contains(response.status), let members else {
            throw SupabaseErrors.error(in: response, members, refreshing: refreshing)
        }
        return Answer(members: members, serverDate: response.date)
    }

    /// The objects of an answer that is a list.
    func list(_ path: String, token: Secret<String>) async throws(AuthError) -> [JSONObject] {
        let response = try await send("GET", url(path), nil, token: token)
        let value = try? JSONValue(parsing: response.body, limits: Self.limits)
        guard response.status == 200, let items = value?.arrayValue else {
            throw SupabaseErrors.error(in: response, value?.objectValue, refreshing: false)
        }
        return items.compactMap(\.objectValue)
    }

    /// An address below the API's own.
    func url(_ path: String, _ query: [(String, String?)] = []) -> String {
        let fields = query.compactMap { name, value in value.map { (name, $0) } }
        return address + path + (fields.isEmpty ? "" : "?" + FormFields.encode(fields))
    }

    private func send(
        _ method: String, _ url: String, _ body: JSONObject?, token: Secret<String>?
    ) async throws(AuthError) -> HTTPResponse {
        var request = HTTPRequest(method, url)
        request.headers = [
            HTTPHeader("apikey", key), HTTPHeader("Accept", "application/json"),
            // Errors in the form that has a code for each.
            HTTPHeader("X-Supabase-Api-Version", "2024-01-01"),
        ]
        if let token { request.headers.append(HTTPHeader("Authorization", "Bearer \(token.reveal())")) }
        if let body {
            request.headers.append(HTTPHeader("Content-Type", "application/json"))
            request.body = body.serialized()
        }
        do {
            return try await transport.send(request)
        } catch {
            throw AuthError(noWay: error)
        }
    }
}
