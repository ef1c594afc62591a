// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import HTTPTypes
import Hummingbird

/// The frame of the pages that mailed links open. They run nothing, fetch nothing, are kept nowhere, and tell nobody their
/// address, which has the link's token in it.
struct PageFrame: Sendable {
    var title: String
    var siteName: String
    var language: MessageLanguage
    /// HTML: whatever is not of this room is escaped already.
    var content: String

    /// - Parameter formTargets: what a form may lead to beside this server, as CSP names it (CSP Level 3, section 6.4.1),
    ///   each behind a blank.
    func response(status: HTTPResponse.Status = .ok, formTargets: String = "") -> Response {
        var headers = HTTPFields()
        headers[.contentType] = "text/html; charset=utf-8"
        headers[.cacheControl] = "no-store"
        // The form's own request says where it comes from, so that a stranger's page can be told from this one; what
        // is said is the server's name and nothing of the path or the token.
        headers[.referrerPolicy] = "strict-origin"
        headers[.contentSecurityPolicy] =
            "default-src 'none'; style-src 'sha256-\(Self.styleHash)'; base-uri 'none'; frame-ancestors 'none'; "
            + "form-action 'self'" + formTargets
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: html)))
    }

    var html: String {
        let title = HTMLText.escaped(title)
        return """
            <!doctype html>
            <html lang="\(language.rawValue)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="robots" content="noindex">
            <title>\(title) · \(HTMLText.escaped(siteName))</title>
            <style>\(Self.style)</style>
            </head>
            <body>
            <main>
            <h1>\(title)</h1>
            \(content)
            </main>
            </body>
            </html>

            """
    }

    static func hiddenInputs(_ fields: [(name: String, value: String)]) -> String {
        fields.map { field in
            #"<input type="hidden" name="\#(HTMLText.escaped(field.name))" value="\#(HTMLText.escaped(field.value))">"#
        }.joined(separator: "\n")
    }

    // MARK: Style

    private static let styleHash = Base64.encode(Array(SHA256.hash(data: Array(style.utf8))))

    private static let style = """
        :root{color-scheme:light dark;--ink:#1c2330;--dim:#525c6b;--paper:#fff;--wash:#f5f7fa;--accent:#1d5fd1;--on:#fff}
        @media(prefers-color-scheme:dark){:root{--ink:#e7ebf2;--dim:#a9b4c4;--paper:#141920;--wash:#1c232d;\
        --accent:#7fb0ff;--on:#0d1420}}
        body{margin:0;background:var(--wash);color:var(--ink);font:1.0625rem/1.55 system-ui,sans-serif}
        main{max-width:32rem;margin:10vh auto;padding:2rem;background:var(--paper);border-radius:.6rem}
        h1{font-size:1.5rem;margin:0 0 1rem}p{margin:0 0 1rem;overflow-wrap:anywhere}.note{color:var(--dim);margin:1.5rem 0 0}
        button{font:inherit;font-weight:600;padding:.7rem 1.6rem;border:0;border-radius:.4rem;background:var(--accent);\
        color:var(--on);cursor:pointer}
        label{display:block;margin:0 0 1rem}input{font:inherit;box-sizing:border-box;width:100%;padding:.6rem .8rem;\
        margin:.3rem 0 0;border:1px solid var(--dim);border-radius:.4rem;background:var(--paper);color:var(--ink)}
        .refusal{font-weight:600}a{color:var(--accent)}
        button:focus-visible,input:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
        """
}
