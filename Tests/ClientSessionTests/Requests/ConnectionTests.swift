// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import TestSupport
import Testing

/// What becomes of connections, and of requests beside each other.
struct ConnectionTests {
    private static let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)

    @Test("R13.1 A connection that is kept carries the next request that is safe to repeat")
    func reuse() async throws {
        let server = try CannedServer(connections: [[Self.answer, Self.answer, Self.answer]])
        let transport = SystemTransport()
        for _ in 0..<3 { #expect(try await transport.send(HTTPRequest("GET", server.url + "/")).status == 200) }
        #expect(server.requests.count == 3)
    }

    @Test(
        "R13.1 F4 A kept connection that ends at the next request: a change is never sent twice",
        arguments: ["a=b", ""])
    func keptThatEnds(_ body: String) async throws {
        // On whichever connection the change comes, nobody answers it.
        let server = try CannedServer(connections: [[Self.answer, []], [[]], [Self.answer]])
        let transport = SystemTransport()
        #expect(try await transport.send(HTTPRequest("GET", server.url + "/")).status == 200)
        await #expect(throws: TransportError.interrupted) {
            try await transport.send(HTTPRequest("POST", server.url + "/change", body: Array(body.utf8)))
        }
        #expect(server.requests.count { $0.hasPrefix("POST") } == 1)
        // What is safe is asked again, where the kept one turns out to be over.
        #expect(try await transport.send(HTTPRequest("GET", server.url + "/")).status == 200)
    }

    @Test("R13.1 R13.9 A task that is cancelled breaks its request off, and no other; one that was, sends nothing")
    func cancelled() async throws {
        let silent = try CannedServer(connections: [[[]]], staysOpen: true)
        let server = try CannedServer(connections: [[Self.answer]])
        let transport = SystemTransport()
        let asking = Task { try await transport.send(HTTPRequest("GET", silent.url + "/", timeout: .seconds(60))) }
        try await eventually("the request has come") { silent.requests.first?.isEmpty == false }
        asking.cancel()
        await #expect(throws: TransportError.cancelled) { try await asking.value }
        #expect(try await transport.send(HTTPRequest("GET", server.url + "/")).status == 200)
        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await transport.send(HTTPRequest("GET", server.url + "/"))
        }
        late.cancel()
        await #expect(throws: TransportError.cancelled) { try await late.value }
        #expect(server.requests.count == 1)
    }

    @Test("R13.1 R13.9 A hundred requests at once, of which every third is given up, have each its own outcome")
    func hundred() async throws {
        let server = try CannedServer(
            connections: (0..<200).map { _ in
                [Array("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok".utf8)]
            })
        let transport = SystemTransport()
        for _ in 0..<2 {
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        let task = Task { try await transport.send(HTTPRequest("POST", server.url + "/\(number)")) }
                        if number % 3 == 0 { task.cancel() }
                        do { return try await task.value.status == 200 } catch {
                            return number % 3 == 0 && error as? TransportError == .cancelled
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes == Array(repeating: true, count: 100))
        }
    }

    @Test("F-8 What would end a line of the request is no request", arguments: ["a\r\nX-B: c", "a\u{0}b", "a\nb"])
    func injected(_ value: String) async throws {
        let server = try CannedServer(connections: [[Self.answer]])
        for request in [
            HTTPRequest("GET", server.url + "/", headers: [HTTPHeader("X-A", value)]),
            HTTPRequest("GET", server.url + "/", headers: [HTTPHeader(value, "a")]),
            HTTPRequest(value, server.url + "/"),
        ] {
            await #expect(throws: TransportError.invalidRequest) { try await SystemTransport().send(request) }
        }
        #expect(server.requests.isEmpty)
    }

    @Test("R13.1 A request's fields and length are what was asked, and no more than HTTP needs")
    func written() async throws {
        let server = try CannedServer(connections: [[Self.answer], [Self.answer]])
        let transport = SystemTransport()
        _ = try await transport.send(
            HTTPRequest("POST", server.url + "/", headers: [HTTPHeader("X-Empty", ""), HTTPHeader("X-A", "b")]))
        let request = server.requests[0].lowercased()
        #expect(request.contains("\r\ncontent-length: 0\r\n") && request.contains("\r\nx-a: b\r\n"))
        #expect(request.contains("\r\nx-empty:"))
        #expect(!request.contains("content-type") && !request.contains("expect"))
        _ = try await transport.send(
            HTTPRequest("DELETE", server.url + "/", body: Array(repeating: 0x61, count: 3000)))
        #expect(server.requests[1].hasPrefix("DELETE / HTTP/1.1\r\n"))
        #expect(server.requests[1].contains("Content-Length: 3000\r\n"))
    }
}
