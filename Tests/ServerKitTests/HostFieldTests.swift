// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import ServerKit

@Suite("The host that a request names")
struct HostFieldTests {
    private func isRefused(_ hosts: [String], _ version: HTTPVersion = .http1_1) throws -> Bool {
        let channel = EmbeddedChannel(handler: HostField())
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let headers = HTTPHeaders(hosts.map { ("hOsT", $0) })
        let head = HTTPRequestHead(version: version, method: .GET, uri: "/", headers: headers)
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

    @Test(
        "R8.18 one host is taken, with a port or without",
        arguments: [
            "a", "auth.example.com:8443", "127.0.0.1:1", "[::1]", "[fe80::1]:80", "xn--bcher-kva.example", "%41",
        ])
    func one(host: String) throws {
        #expect(try !isRefused([host]))
        #expect(try isRefused([host, host]))
        #expect(try isRefused([host, "other.example"]))
        #expect(try isRefused([host, host], .http1_0))
    }

    @Test("R8.18 none is refused, but of HTTP/1.0, which knows none")
    func none() throws {
        #expect(try isRefused([]))
        #expect(try !isRefused([], .http1_0))
    }

    @Test(
        "R8.18 what is no host is refused",
        arguments: ["", "a b", "a@b", "http://a", "a/b", "a?b", "a#b", "a\\b", "\"a\"", "bücher.example", "a\u{7F}"])
    func invalid(host: String) throws {
        #expect(try isRefused([host]))
        #expect(try isRefused([host], .http1_0))
    }
}
