// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import HTTPTypes
import Hummingbird

/// The page that posts an answer to the client (OAuth 2.0 Form Post Response Mode, section 2): by a script, and by a
/// button where there are none. Values stand in it as they are, escaped for HTML and not encoded for a URL.
public struct FormPostPage: Sendable {
    /// Where the form goes: checked already.
    public var target: String
    public var fields: [(name: String, value: String)]
    public var language: MessageLanguage

    public init(target: String, fields: [(name: String, value: String)], language: MessageLanguage) {
        self.target = target
        self.fields = fields
        self.language = language
    }

    public var response: Response {
        var headers = HTTPFields()
        headers[.contentType] = "text/html; charset=utf-8"
        headers[.cacheControl] = "no-store"
        // No `form-action`: browsers hold a form to it through every redirect that the client then makes.
        headers[.contentSecurityPolicy] =
            "default-src 'none'; script-src 'sha256-\(Self.scriptHash)'; base-uri 'none'; frame-ancestors 'none'"
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: html)))
    }

    private var html: String {
        let title = HTMLText.escaped(MessageCatalog.text(.linkButton, in: language) ?? "")
        let inputs = fields.map { field in
            #"<input type="hidden" name="\#(HTMLText.escaped(field.name))" value="\#(HTMLText.escaped(field.value))">"#
        }
        return """
            <!doctype html>
            <html lang="\(language.rawValue)">
            <head><meta charset="utf-8"><meta name="robots" content="noindex"><title>\(title)</title></head>
            <body>
            <form method="post" action="\(HTMLText.escaped(target))">
            \(inputs.joined(separator: "\n"))
            <button type="submit">\(title)</button>
            </form>
            <script>\(Self.script)</script>
            </body>
            </html>

            """
    }

    private static let script = "document.forms[0].submit()"
    private static let scriptHash = Base64.encode(Array(SHA256.hash(data: Array(script.utf8))))
}
