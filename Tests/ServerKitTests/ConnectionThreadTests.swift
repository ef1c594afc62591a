// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOPosix
import Testing

@testable import ServerKit

/// Which thread answers a request (ADR 0033), over a real socket.
@Suite("The thread of a connection")
struct ConnectionThreadTests {
    private static let content = String(repeating: "x", count: PromptRequests.mostContent)

    /// Whether a request was answered on its connection's thread, before it waited for another thread and after, within what
    /// takes longer, and after that.
    private func places(
        _ method: HTTPRequest.Method, _ uri: String, body: String? = nil
    ) async throws -> [Bool] {
        let bench = ServerBench(prompt: ["/beta/prompt"])
        for method in [HTTPRequest.Method.get, .post] {
            for path in ["/beta/prompt", "/beta/other"] {
                bench.on(method, path) { _, context in
                    let before = context.channel.eventLoop.inEventLoop
                    // As a write of the store's is waited for.
                    try await NIOThreadPool.singleton.runIfActive {}
                    let after = context.channel.eventLoop.inEventLoop
                    let inner = await OffConnection.run { context.channel.eventLoop.inEventLoop }
                    let back = context.channel.eventLoop.inEventLoop
                    return Response(
                        status: .ok,
                        body: .init(byteBuffer: ByteBuffer(string: "\(before) \(after) \(inner) \(back)")))
                }
            }
        }
        let text = try await bench.test(.live) { client in
            try await client.execute(uri: uri, method: method, body: body.map { ByteBuffer(string: $0) }).text
        }
        return text.split(separator: " ").map { $0 == "true" }
    }

    @Test("R11 a prompt request stays on its connection's thread, also once it has waited, but for what takes longer")
    func prompt() async throws {
        #expect(try await places(.get, "/beta/prompt") == [true, true, false, true])
        #expect(try await places(.get, "/beta/prompt?a=b") == [true, true, false, true])
        #expect(try await places(.post, "/beta/prompt", body: Self.content) == [true, true, false, true])
    }

    @Test("R11 every other request leaves it, and so does one with more than a little content")
    func other() async throws {
        #expect(try await places(.get, "/beta/other") == [false, false, false, false])
        #expect(try await places(.post, "/beta/prompt", body: Self.content + "x") == [false, false, false, false])
    }

    @Test("R11 content of a length that is not said may be any")
    func unknownLength() throws {
        let prompt = PromptRequests(["/prompt"])
        func request(_ headers: HTTPFields) -> Request {
            Request(
                head: HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/prompt", headerFields: headers),
                body: .init(buffer: ByteBuffer()))
        }
        #expect(prompt.contains(request([:])))
        #expect(!prompt.contains(request([.transferEncoding: "chunked"])))
        #expect(!prompt.contains(request([.contentLength: "many", .transferEncoding: "chunked"])))
    }
}
