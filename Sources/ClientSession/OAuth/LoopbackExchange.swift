// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a browser asks of the loopback listener, and what it is told: one path, by one name, to be read once.
struct LoopbackExchange {
    /// The request so far.
    private(set) var bytes: [UInt8] = []
    /// `127.0.0.1:50123`
    let host: String
    let path: String
    /// What the redirect must say, where the request that led to it is known to have said it.
    let state: Secret<String>?

    init(host: String, path: String, state: Secret<String>? = nil) {
        self.host = host
        self.path = path
        self.state = state
    }

    enum Outcome: Equatable {
        case incomplete
        /// The path with its query, as it was asked for.
        case redirect(String)
        case refused
    }

    /// The longest request that is read: the redirect, and a browser's other fields.
    static let limit = 32 << 10

    mutating func take(_ more: [UInt8]) -> Outcome {
        bytes += more
        guard bytes.count <= Self.limit else { return .refused }
        let end: [UInt8] = [13, 10, 13, 10]
        guard let head = (0..<max(0, bytes.count - 3)).first(where: { bytes[$0..<($0 + 4)].elementsEqual(end) }) else {
            return .incomplete
        }
        guard let text = String(strictUTF8: bytes[..<head]) else { return .refused }
        return outcome(of: text.split(separator: "\r\n", omittingEmptySubsequences: false))
    }

    private func outcome(of lines: [Substring]) -> Outcome {
        let request = lines.first?.split(separator: " ", omittingEmptySubsequences: false) ?? []
        guard request.count == 3, request[0] == "GET", request[2].hasPrefix("HTTP/1.") else { return .refused }
        // The name too: a page elsewhere whose name leads here must not be taken for the server (DNS rebinding).
        let hosts = lines.dropFirst().compactMap { line -> Substring? in
            let parts = line.split(separator: ":", maxSplits: 1)
            return parts.count == 2 && parts[0].lowercased() == "host" ? parts[1] : nil
        }
        guard hosts.count == 1, hosts[0].trimmingPrefix(while: { $0 == " " || $0 == "\t" }) == host else {
            return .refused
        }
        // Without a query it is no redirect: a browser that looks ahead, or somebody who looks around.
        guard let mark = request[1].firstIndex(of: "?"), request[1][..<mark] == path else { return .refused }
        return isAwaited(request[1][mark...].dropFirst()) ? .redirect(String(request[1])) : .refused
    }

    /// Any page can have the browser ask here for anything. What does not say the request's own state is no answer to
    /// it (RFC 6749, sections 4.1.2 and 10.12), neither a code nor a refusal, and ends nobody's sign-in.
    private func isAwaited(_ query: Substring) -> Bool {
        guard let state else { return true }
        let given = (FormFields.decode(query) ?? []).filter { $0.name == "state" }.map(\.value)
        return given.count == 1 && constantTimeEqual(Array(given[0].utf8), Array(state.reveal().utf8))
    }

    /// - Parameter message: what the user reads.
    static func page(_ message: String) -> [UInt8] {
        let page: HTML = """
            <!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>\(message)</title>\
            <p>\(message)</p>
            """
        return answer("200 OK", page.text)
    }

    static var notFound: [UInt8] { answer("404 Not Found", "<!doctype html><title>404</title><p>404</p>") }

    private static func answer(_ status: String, _ body: String) -> [UInt8] {
        let lines = [
            "HTTP/1.1 \(status)", "Content-Type: text/html; charset=utf-8", "Content-Length: \(body.utf8.count)",
            "Cache-Control: no-store", "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
            "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff", "Connection: close", "", body,
        ]
        return Array(lines.joined(separator: "\r\n").utf8)
    }
}
