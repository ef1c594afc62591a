// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Synchronization
import TestBenchHTTP

/// Keeps cookies and follows nothing.
final class Browser: Sendable {
    private let bench: ProviderBench
    private let cookies = Mutex<[String: String]>([:])

    init(_ bench: ProviderBench) { self.bench = bench }

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

    func get(_ uri: String) async throws -> HTTPBench.Reply {
        taken(try await bench.get(uri, headers: headers))
    }

    func post(_ path: String, _ form: [(String, String)], headers further: HTTPFields = [:]) async throws
        -> HTTPBench.Reply
    {
        var headers = headers
        for field in further { headers.append(field) }
        return taken(try await bench.post(path, form, headers: headers))
    }

    func authorize(_ form: [(String, String)]) async throws -> HTTPBench.Reply {
        try await get("/oauth2/authorize?" + ProviderBench.encoded(form))
    }

    private var headers: HTTPFields {
        var headers = HTTPFields()
        headers[.cookie] = cookie
        return headers
    }

    private func taken(_ reply: HTTPBench.Reply) -> HTTPBench.Reply {
        for field in reply.headers[values: .setCookie] { take(field) }
        return reply
    }
}

extension HTTPBench.Reply {
    var location: String? { headers[.location] }

    /// What the answer brings the client: the parameters of the redirect, wherever they are.
    var answer: [String: String] {
        guard let location, let start = location.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return [:] }
        var values: [String: String] = [:]
        for pair in location[location.index(after: start)...].split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1).map { Self.decoded($0) }
            values[parts[0]] = parts.count > 1 ? parts[1] : ""
        }
        return values
    }

    var error: String? { json["error"]?.stringValue }
    /// Status and error in a line.
    var outcome: String { "\(status) \(error ?? "")" }

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
