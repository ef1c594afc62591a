// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import Testing

/// Answers that end too early, come too late, or are none.
struct BrokenAnswerTests {
    private static func outcome(
        _ server: CannedServer, _ method: String = "GET", limit: Int = 16 << 20, timeout: TimeSpan = .seconds(10)
    ) async -> Result<HTTPResponse, TransportError> {
        do throws(TransportError) {
            return .success(
                try await SystemTransport(limit: limit).send(HTTPRequest(method, server.url + "/", timeout: timeout)))
        } catch { return .failure(error) }
    }

    private static func error(_ outcome: Result<HTTPResponse, TransportError>) -> TransportError? {
        if case .failure(let error) = outcome { error } else { nil }
    }

    private static let cut = [
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 8\r\n\r\nabcdefgh",
        "HTTP/1.1 103 Early\r\nLink: <a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n",
    ]

    @Test("R13.1 F-8 An answer that ends at any of its octets, in its head or after it, is none", arguments: cut)
    func everyOctet(_ answer: String) async throws {
        let bytes = Array(answer.utf8)
        let transport = SystemTransport()
        let server = try CannedServer(connections: bytes.indices.map { [Array(bytes[..<$0])] } + [[bytes], [bytes]])
        // After the last part of all, the end of its line says nothing more.
        for count in bytes.indices where count < bytes.count - 1 || !answer.hasSuffix("\r\n") {
            await #expect(throws: TransportError.interrupted, "after \(count) octets") {
                try await transport.send(HTTPRequest("GET", server.url + "/"))
            }
        }
        #expect(try await transport.send(HTTPRequest("GET", server.url + "/")).status == 200)
    }

    @Test("R13.1 What does not come in time is no answer: nothing at all, half a head, a body without an end")
    func late() async throws {
        for answer in ["", "HTTP/1.1 200 OK\r\nCont", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na"] {
            let server = try CannedServer(connections: [[Array(answer.utf8)]], staysOpen: true)
            #expect(Self.error(await Self.outcome(server, timeout: .milliseconds(200))) == .timedOut)
        }
    }

    @Test("R13.1 Heads without an end and bodies without a length are bounded")
    func bombs() async throws {
        let many = String(repeating: "X-A: 0123456789\r\n", count: 20_000)
        let long = "X-A: " + String(repeating: "a", count: 300_000) + "\r\n"
        let provisional = String(repeating: "HTTP/1.1 103 Early\r\nX-A: 0123456789\r\n\r\n", count: 10_000)
        for head in ["HTTP/1.1 200 OK\r\n" + many, "HTTP/1.1 200 OK\r\n" + long, provisional] {
            let server = try CannedServer([head + "\r\n"])
            #expect(Self.error(await Self.outcome(server)) == .tooLarge)
        }
        let chunk = "1000\r\n" + String(repeating: "x", count: 4096) + "\r\n"
        let endless = try CannedServer([
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + String(repeating: chunk, count: 50)
        ])
        #expect(Self.error(await Self.outcome(endless, limit: 100_000)) == .tooLarge)
    }

    @Test(
        "R13.1 What is no HTTP is no answer",
        arguments: [
            "hello\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n", "\u{0}\u{1}\u{2}", "HTTP/1.1 -1 OK\r\n\r\n", "\r\n\r\n",
        ])
    func noise(_ answer: String) async throws {
        #expect(Self.error(await Self.outcome(try CannedServer([answer]))) == .interrupted)
    }

    @Test("R13.1 F-8 Whoever can't show who they are by TLS is not asked")
    func untrusted() async throws {
        let server = try CannedServer(["HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"])
        await #expect(throws: TransportError.untrusted) {
            try await SystemTransport().send(HTTPRequest("GET", "https://127.0.0.1:\(server.port)/"))
        }
    }

    @Test(
        "R13.1 Answers without a body, in parts, in provisional parts before, and packed without having been asked to")
    func forms() async throws {
        let none = try CannedServer(["HTTP/1.1 200 OK\r\nContent-Length: 12\r\nConnection: close\r\n\r\n"])
        let head = try await Self.outcome(none, "HEAD").get()
        #expect(head.body.isEmpty && head.header("content-length") == "12")
        #expect(none.requests[0].hasPrefix("HEAD / HTTP/1.1\r\n"))
        #expect(!none.requests[0].lowercased().contains("accept-encoding"))

        let parts = try CannedServer([
            "HTTP/1.1 100 Continue\r\nX-A: 0\r\n\r\nHTTP/1.1 200 OK\r\nX-A:  1 \r\nX-A: 2\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n3\r\ncde\r\n0\r\nX-A: 3\r\n\r\n"
        ])
        let answer = try await Self.outcome(parts).get()
        #expect(answer.status == 200 && answer.body == Array("abcde".utf8))
        #expect(answer.headers.filter { $0.name == "X-A" }.map(\.value).joined(separator: ", ") == "1, 2")

        let packed = try CannedServer([
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc"
        ])
        #expect(try await Self.outcome(packed).get().body == Array("abc".utf8))
    }
}
