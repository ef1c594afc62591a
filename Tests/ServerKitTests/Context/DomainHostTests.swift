// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import ServerKit

@Suite("Domains of Directories in development mode") struct DomainHostTests {
    private struct Call: Sendable {
        var host: String
        var origin: String?
        var site: String?
        var status: HTTPResponse.Status
    }

    @Test("R11.6 R8.14 a host that an operator made a Directory's domain is let in with its own pages, and no other")
    func hosts() async throws {
        let router = Router(context: LatchkeyRequestContext.self)
        router.add(
            middleware: LocalCallersOnly(LocalCallers()) { authority, _ in
                ["id.example.com", "id.example.com:8443"].contains(authority)
            })
        router.get("/") { _, _ in "in" }
        let calls = [
            Call(host: "id.example.com", status: .ok), Call(host: "id.example.com:8443", status: .ok),
            Call(host: "id.example.com", origin: "https://id.example.com", site: "same-origin", status: .ok),
            Call(host: "id.example.com:8443", origin: "http://id.example.com:8443", status: .ok),
            Call(host: "id.example.com", origin: "null", site: "same-origin", status: .ok),
            Call(host: "id.example.com", origin: "https://id.example.com:8443", status: .forbidden),
            Call(host: "id.example.com", origin: "https://evil.example", status: .forbidden),
            Call(host: "id.example.com", origin: "null", site: "cross-site", status: .forbidden),
            Call(host: "id.example.com", site: "cross-site", status: .forbidden),
            Call(host: "other.example.com", status: .forbidden), Call(host: "evil.example", status: .forbidden),
            Call(host: "evil.example", origin: "https://evil.example", status: .forbidden),
            Call(host: "localhost", origin: "https://id.example.com", status: .forbidden),
        ]
        let responder = router.buildResponder()
        for call in calls {
            var head = HTTPRequest(method: .get, scheme: "http", authority: call.host, path: "/")
            head.headerFields[.origin] = call.origin
            head.headerFields[.fetchSite] = call.site
            let context = LatchkeyRequestContext(
                source: ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: Logger(label: "test")))
            let response = try await responder.respond(
                to: Request(head: head, body: .init(buffer: ByteBuffer())), context: context)
            #expect(response.status == call.status, "\(call)")
        }
    }
}
