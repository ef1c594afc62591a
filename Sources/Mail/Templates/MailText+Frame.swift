// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension MailText {
    /// The sentences that every mail of a language shares.
    struct Frame: Sendable {
        var linkExpiry: String
        var codeExpiry: String
        var plainLink: String
    }

    /// Lesser text. The reader's own colours, weakened: a grey of ours would be hard to read in dark mode.
    private static let quiet = "font-size:14px;opacity:.75"

    /// The body as plain text.
    func textTemplate(_ frame: Frame) -> String {
        var lines = [heading, ""]
        lines += paragraphs.flatMap { [$0, ""] }
        if button != nil {
            lines += ["{{#link}}{{link}}", "", "{{#expiry}}" + frame.linkExpiry + "{{/expiry}}", "{{/link}}"]
        }
        if let code {
            lines += [
                "{{#code}}" + code + " {{code}}", "{{#codeExpiry}}" + frame.codeExpiry + "{{/codeExpiry}}", "{{/code}}",
            ]
        }
        lines += [footer, "", "{{siteName}}{{#siteURL}} · {{siteURL}}{{/siteURL}}", ""]
        return lines.joined(separator: "\n")
    }

    /// The body as HTML: inline styles for mail readers that drop others, and nothing fetched from anywhere.
    func htmlTemplate(_ frame: Frame, language: MessageLanguage) -> String {
        var body = "<h1 style=\"font-size:20px;line-height:1.3;margin:0 0 16px\">\(heading)</h1>\n"
        for paragraph in paragraphs { body += "<p style=\"margin:0 0 16px\">\(paragraph)</p>\n" }
        if let button {
            body += """
                {{#link}}<p style="margin:24px 0"><a href="{{link}}" style="background:#1d5fd1;color:#ffffff;\
                text-decoration:none;padding:12px 20px;border-radius:6px;display:inline-block">\(button)</a></p>
                <p style="margin:0 0 16px;\(Self.quiet)">\
                {{#expiry}}\(frame.linkExpiry) {{/expiry}}\(frame.plainLink)<br>\
                <span style="word-break:break-all">{{link}}</span></p>{{/link}}

                """
        }
        if let code {
            body += """
                {{#code}}<p style="margin:0 0 8px">\(code)</p>
                <p style="font:600 28px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:4px;margin:0 0 8px">\
                {{code}}</p>
                {{#codeExpiry}}<p style="margin:0 0 16px;\(Self.quiet)">\(frame.codeExpiry)</p>{{/codeExpiry}}{{/code}}

                """
        }
        return """
            <!doctype html>
            <html lang="\(language.rawValue)"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="supported-color-schemes" content="light dark"><title>\(heading)</title></head>
            <body style="margin:0;padding:24px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif">
            <div style="max-width:520px;margin:0 auto">
            \(body)<hr style="border:0;border-top:1px solid;opacity:.2;margin:24px 0">
            <p style="margin:0 0 8px;\(Self.quiet)">\(footer)</p>
            <p style="margin:0;\(Self.quiet)">{{siteName}}{{#siteURL}} · {{siteURL}}{{/siteURL}}</p>
            </div></body></html>

            """
    }
}
