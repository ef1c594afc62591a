// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient

/// A network on which one request in a hundred fails.
struct FaultyTransport: HTTPTransport {
    let transport: any HTTPTransport
    let dice: Dice
    let tally: Tally

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        tally.add("requests")
        guard let fault = dice.pick(Fault.allCases, oneIn: 100) else { return try await transport.send(request) }
        tally.add(fault.rawValue)
        switch fault {
        case .cutBefore: throw .interrupted
        case .cutAfter:
            try await carryOut(request)
            throw .interrupted
        case .timeOut:
            try await wait(request.timeout)
            throw .timedOut
        case .lostAnswer:
            try await carryOut(request)
            try await wait(request.timeout)
            throw .timedOut
        case .tooMany: return HTTPResponse(status: 429, headers: [HTTPHeader("Retry-After", "1")])
        case .serverFault: return HTTPResponse(status: 503, body: Array("<h1>Service Unavailable</h1>".utf8))
        case .malformed:
            try await carryOut(request)
            return HTTPResponse(
                status: 200, headers: [HTTPHeader("Content-Type", "text/html")],
                body: Array("<!doctype html><title>Welcome</title>".utf8))
        }
    }

    /// Has the service do what the app will not hear of. A sign-in leaves a session that nobody knows.
    private func carryOut(_ request: HTTPRequest) async throws(TransportError) {
        let answer = try await transport.send(request)
        let isSignIn =
            request.url.hasSuffix("grant_type=password")
            || String(decoding: request.body, as: UTF8.self).contains("USER_PASSWORD_AUTH")
        if isSignIn, answer.status == 200 { tally.add("unheardSignIns") }
    }

    private func wait(_ span: TimeSpan) async throws(TransportError) {
        do { try await Task.sleep(for: .microseconds(span.microseconds)) } catch { throw .cancelled }
    }
}
