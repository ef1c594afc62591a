// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import ServerKit

@Suite("The host that a request names")
struct HostFieldTests {
    private func isRefused(
        _ hosts: [String], _ version: HTTPVersion = .http1_1, _ method: HTTPMethod = .GET, target: String = "/"
    ) throws -> Bool {
        let channel = EmbeddedChannel(handler: HostField())
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let headers = HTTPHeaders(hosts.map { ("hOsT", $0) })
        let head = HTTPRequestHead(version: version, method: method, uri: target, headers: headers)
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

    @Test(
        "R8.18 RFC 9112, section 3.2.2: a target that is a whole URL is taken where it names the same host",
        arguments: [
            "http://a.example/", "https://a.example/oauth2/token?x=http://b.example/", "HTTP://A.Example",
            "http://a.example?x", "http://a.example#x",
        ])
    func whole(target: String) throws {
        #expect(try !isRefused(["a.example"], target: target))
        #expect(try !isRefused(["A.EXAMPLE"], target: target))
        for other in ["b.example", "a.example.b.example", "a.exampl", "a.example:80", "xa.example"] {
            #expect(try isRefused([other], target: target), "\(other)")
        }
        #expect(try isRefused([], .http1_0, target: target), "nobody reads the target's")
    }

    @Test(
        "R8.18 a target whose host is not the field's is refused, however it is written",
        arguments: [
            "http://b.example/", "http://a.example:80/", "http://user@a.example/", "http://a.example@b.example/",
            "http://a.example\\@b.example/", "http:///a.example", "http:/a.example/", "a.example", "a.example:80", "x",
        ])
    func other(target: String) throws {
        #expect(try isRefused(["a.example"], target: target))
        #expect(try isRefused([], .http1_0, target: target))
    }

    @Test("R8.18 the other forms of a target name no host of their own")
    func forms() throws {
        #expect(try !isRefused(["a.example"], .http1_1, .OPTIONS, target: "*"))
        #expect(try !isRefused(["a.example"], .http1_1, .CONNECT, target: "b.example:443"))
        #expect(try !isRefused(["a.example"], target: "/http://b.example/"))
        #expect(try !isRefused(["a.example"], target: "//b.example/"))
    }
}
