// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// What a browser finds at the server's root: which program this is. Apps have no business here, and people none
/// without an app, but on a development server, whose pages it leads to.
public struct StartPage: Sendable {
    private let dialects: [String]
    private let isDevelopment: Bool

    /// - Parameter dialects: by name, what the server speaks.
    public init(dialects: [String], isDevelopment: Bool) {
        self.dialects = dialects
        self.isDevelopment = isDevelopment
    }

    public func addRoutes(to router: some RouterMethods<LatchkeyRequestContext>, routes: KnownRoutes) {
        router.get("/") { _, _ in response }
        routes.add(.get, "/")
    }

    private var response: Response {
        var headers = HTTPFields()
        headers[.contentType] = "text/html; charset=utf-8"
        headers[.cacheControl] = "no-store"
        headers[.contentSecurityPolicy] =
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: html)))
    }

    private var html: String {
        let names = dialects.map { "<li>\(HTMLText.escaped($0))</li>" }.joined()
        let ways =
            isDevelopment
            ? """
            <p>This is a development server. <a href="/dev">Settings to paste into your app</a>, and the
            <a href="/dev/mail">mail</a> it would have sent.</p>
            """
            : "<p>Apps sign people in through it. In a browser there is nothing to do here.</p>"
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="robots" content="noindex">
            <title>Latchkey</title>
            <style>\(PageLayout.style)</style>
            </head>
            <body>
            <main>
            <h1>Latchkey</h1>
            <p class="lead">An identity server runs here.</p>
            <section>\(ways)
            <p>What it speaks:</p>
            <ul>\(names)</ul></section>
            </main>
            </body>
            </html>

            """
    }
}
