// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import ServerKit
import Testing

@testable import AccountPages

@Suite struct StartPageTests {
    private static func page(isDevelopment: Bool, dialects: [String] = ["one", "<two>"]) async throws -> TestResponse {
        let router = Router(context: LatchkeyRequestContext.self)
        StartPage(dialects: dialects, isDevelopment: isDevelopment).addRoutes(to: router, routes: KnownRoutes())
        return try await Application(responder: router.buildResponder()).test(.router) {
            try await $0.execute(uri: "/", method: .get)
        }
    }

    @Test("R10.6 the root says in a browser what runs here; on a development server it leads to its pages")
    func page() async throws {
        for isDevelopment in [true, false] {
            let answer = try await Self.page(isDevelopment: isDevelopment)
            let html = String(buffer: answer.body)
            #expect(answer.status == .ok && answer.headers[.contentType] == "text/html; charset=utf-8")
            #expect(html.contains("<h1>Latchkey</h1>") && html.contains("identity server"))
            #expect(html.contains("<li>one</li>") && html.contains("&lt;two&gt;") && !html.contains("<two>"))
            #expect(html.contains("href=\"/dev\"") == isDevelopment)
            #expect(answer.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
        }
    }
}
