// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import Testing

struct SystemTransportTests {
    private static func answer(_ status: String, _ headers: String = "", _ body: String = "") -> String {
        "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\(headers)\r\n\(body)"
    }

    @Test("R13.1 Any status is an answer, with its fields and its body")
    func answers() async throws {
        let server = try CannedServer([
            Self.answer("401 Unauthorized", "WWW-Authenticate: Bearer\r\n", "{}"), Self.answer("204 No Content"),
        ])
        let transport = SystemTransport()
        let first = try await transport.send(
            HTTPRequest(
                "POST", server.url + "/token?a=b", headers: [HTTPHeader("X-One", "1")], body: Array("k=v".utf8)))
        #expect(first.status == 401)
        #expect(first.header("www-authenticate") == "Bearer")
        #expect(first.body == Array("{}".utf8))
        #expect(server.requests[0].hasPrefix("POST /token?a=b HTTP/1.1\r\n"))
        #expect(server.requests[0].contains("X-One: 1\r\n"))
        #expect(try await transport.send(HTTPRequest("GET", server.url + "/")).status == 204)
    }

    @Test("R13.1 No redirect is followed, and no cookie is kept")
    func redirects() async throws {
        let server = try CannedServer([
            Self.answer("302 Found", "Location: /elsewhere\r\nSet-Cookie: a=b; Path=/\r\n"), Self.answer("200 OK"),
        ])
        let transport = SystemTransport()
        #expect(try await transport.send(HTTPRequest("GET", server.url + "/")).status == 302)
        #expect(try await transport.send(HTTPRequest("GET", server.url + "/")).status == 200)
        #expect(server.requests.count == 2)
        #expect(server.requests[1].hasPrefix("GET / "))
        #expect(!server.requests[1].lowercased().contains("cookie"))
    }

    @Test("R13.1 An answer that is longer than anybody reads is none")
    func tooLarge() async throws {
        let server = try CannedServer([Self.answer("200 OK", "", String(repeating: "x", count: 200_000))])
        await #expect(throws: TransportError.tooLarge) {
            try await SystemTransport(limit: 100_000).send(HTTPRequest("GET", server.url + "/"))
        }
    }

    @Test("R13.1 A way that breaks off, and nobody who listens, are no answers")
    func broken() async throws {
        let server = try CannedServer([""])
        await #expect(throws: TransportError.interrupted) {
            try await SystemTransport().send(HTTPRequest("GET", server.url + "/"))
        }
        // Port 1 of the loopback address: nobody listens.
        await #expect(throws: TransportError.offline) {
            try await SystemTransport().send(HTTPRequest("GET", "http://127.0.0.1:1/"))
        }
    }
}
