// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import ServerKit

@Suite("The text of a request's head")
struct HeadTextTests {
    private static func marks(_ count: Int) -> String { String(repeating: "\u{307}", count: count) }

    private func isRefused(_ value: String) throws -> Bool {
        let channel = EmbeddedChannel(handler: HeadText())
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let headers: HTTPHeaders = ["host": "a", "user-agent": value, "accept": "b"]
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/", headers: headers)
        do {
            try channel.writeInbound(HTTPServerRequestPart.head(head))
        } catch is HTTPParserError {
            // Nor does anything after it reach the server.
            try channel.writeInbound(HTTPServerRequestPart.end(nil))
            #expect(try channel.readInbound(as: HTTPServerRequestPart.self) == nil)
            return true
        }
        #expect(try channel.readInbound(as: HTTPServerRequestPart.self) == .head(head))
        return false
    }

    @Test("R8.1 a field with more than 30 combining marks in a row comes to nobody", arguments: ["", "e"])
    func bound(letter: String) throws {
        #expect(try !isRefused(letter + Self.marks(30)))
        #expect(try isRefused(letter + Self.marks(31)))
        #expect(try isRefused(letter + Self.marks(31) + "e"))
    }

    /// - Parameter ends: where the server closes, to end this side too is to meet a connection that has gone.
    private func answer(to head: String, ends: Bool) async throws -> String {
        let bench = ServerBench()
        bench.on(.get, "/beta/x")
        return try await bench.test(.live) { try await RawClient.talk($0, [head], ends: ends) }
    }

    @Test(
        "R8.1 it is refused before anything is done for the request, and the connection ends",
        arguments: ["GET", "OPTIONS"])
    func wire(method: String) async throws {
        func head(_ count: Int) -> String {
            """
            \(method) /beta/x HTTP/1.1\r\nHost: a\r\nOrigin: https://a.example\r\nAccess-Control-Request-Method: GET\r
            Access-Control-Request-Headers: \(Self.marks(count))\r\n\r\n
            """
        }
        let taken = try await answer(to: head(30), ends: true)
        #expect(taken.hasPrefix("HTTP/1.1 20") && taken.lowercased().contains("x-request-id:"))
        let refused = try await answer(to: head(31), ends: false)
        #expect(refused.hasPrefix("HTTP/1.1 400 ") && !refused.lowercased().contains("x-request-id:"))
    }

    @Test("R8.1 the target has no marks at all")
    func target() async throws {
        for target in ["/beta/x\(Self.marks(1))", "/beta/x?\(Self.marks(1))"] {
            let refused = try await answer(to: "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n", ends: false)
            #expect(refused.hasPrefix("HTTP/1.1 400 ") && !refused.lowercased().contains("x-request-id:"))
        }
    }
}
