// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import Mail

@Suite("OperatorTemplate")
struct OperatorTemplateTests {
    private func html(_ template: String, _ context: MailContext = .full) throws -> String {
        try MailTemplates(bodies: [.recovery: template]).render(.recovery, in: .en, context).html
    }

    private func refusal(_ template: String) -> String? {
        do {
            _ = try html(template)
            return nil
        } catch { return (error as? AuthError)?.reason }
    }

    @Test(
        "Values are filled in from either way of writing them",
        arguments: [
            ("{{ .ConfirmationURL }}", "https://auth.example.com/verify?token=t0ken&amp;type=x"),
            ("{{.Token}}", "482913"),
            ("{{ .TokenHash }}", "ha5h"), ("{{ .SiteURL }}", "https://example.com"),
            ("{{ .Email }}", "ada@example.org"),
            ("{{ .NewEmail }}", "ada@example.net"), ("{{ .SendingTo }}", "ada@example.org"),
            ("{{ .RedirectTo }}", "https://example.com/welcome"), ("{{ .Data.full_name }}", "Ada"),
            ("{{siteName}}{{ email }}", "Beispielada@example.org"), ("{{data.full_name}}", "Ada"),
            ("{{data.missing}}", ""), ("{{! a remark, {{ too }}", ""), ("{{expiry}}, {{codeExpiry}}", "2 h, 15 min"),
            ("{{#newEmail}}new: {{newEmail}}{{/newEmail}}", "new: ada@example.net"),
            ("{{#data.missing}}a{{/data.missing}}{{^data.missing}}b{{/data.missing}}", "b"),
        ])
    func values(_ template: String, _ expected: String) throws {
        #expect(try html(template) == expected)
    }

    @Test(
        "What is not understood is refused when the template is read, and named",
        arguments: [
            "{{ .Unknown }}", "{{nonsense}}", "{{ if .Data }}", "{{ range .Data }}", "{{- .Token -}}", "{{{email}}}",
            "{{&email}}", "{{> partial}}", "{{=<% %>=}}", "{{% CONTENT_TYPE:TEXT}}", "{{$block}}{{/block}}",
            "{{< parent}}{{/parent}}", "{{ printf .Email }}", "{{uppercased(email)}}", "{{.}}", "{{data}}",
            "{{#data}}{{/data}}",
            "{{data.}}", "{{data..x}}", "{{data.a.b.c.d.e}}", "{{data.a b}}", "{{ .Data.a-b }}", "{{data._x()}}",
            "{{}}",
            "{{ }}", "{{#}}", "{{email.count}}",
        ])
    func unknown(_ template: String) throws {
        let reason = try #require(refusal(template))
        #expect(reason.hasPrefix("a mail template has {{"))
        #expect(reason.hasSuffix(", which is not supported"))
    }

    @Test(
        "A template that is not whole is refused, and it is said why",
        arguments: ["{{email", "{{#link}}", "{{#link}}{{/email}}", "{{/link}}", "{{#link}}{{^link}}{{/link}}"])
    func malformed(_ template: String) throws {
        let reason = try #require(refusal(template))
        #expect(reason.hasPrefix("a mail template can't be read: "))
    }

    @Test("A template of no end, or of sections without end, is refused")
    func bounds() {
        #expect(refusal(String(repeating: "x", count: 65_536)) == nil)
        #expect(refusal(String(repeating: "x", count: 65_537)) != nil)
        func nested(_ depth: Int) -> String {
            String(repeating: "{{#link}}", count: depth) + String(repeating: "{{/link}}", count: depth)
        }
        #expect(refusal(nested(16)) == nil)
        #expect(refusal(nested(17)) == "a mail template has too many sections in one another, which is not supported")
        #expect(refusal(nested(7_000)) != nil)
        #expect(refusal(String(repeating: "{{/link}}", count: 7_000)) != nil)
    }

    @Test(
        "The user's metadata is refused where escaping is not enough: in a tag, a style, a script",
        arguments: [
            "<a href=\"{{data.x}}\">", "<a href={{ .Data.x }}>", "<{{data.x}}>",
            "<a title=\"a > b\" href=\"{{data.x}}\">",
            "<p><b {{data.x}}>", "<style>p { color: {{data.x}} }</style>", "<SCRIPT>var name = '{{data.x}}'</SCRIPT>",
            "<script>1 < 2 > 1; {{data.x}}</script>", "<style></p>{{data.x}}",
            "{{#link}}<a href=\"{{data.x}}\">{{/link}}",
            "<a title='\"' href=\"{{data.x}}\">", "<!-- {{data.x}}",
        ])
    func insideTags(_ template: String) throws {
        #expect(
            refusal(template)
                == "a mail template has metadata inside an HTML tag, style or script, which is not supported")
        #expect(throws: Never.self) { try OperatorTemplate(template, for: .subject) }
    }

    @Test(
        "It is taken between tags, after comments and conditional ones too",
        arguments: [
            "<p title='>'>{{data.full_name}}</p>", "<!-- don't --><p>{{data.full_name}}",
            "<style>a>b{}</style>{{data.full_name}}",
            "<!--[if mso]><p>{{data.full_name}}</p><![endif]-->", "<!doctype html><p>it's {{data.full_name}}",
            "<script>'</' + 'x'</script >{{data.full_name}}", "<a href=\"{{link}}\">{{data.full_name}}</a>",
        ])
    func betweenTags(_ template: String) throws {
        #expect(try html(template).contains("Ada"))
    }

    @Test("No naughty string in the metadata, the address or the place to go to leaves its element or its attribute")
    func naughty() throws {
        let template =
            "<p>{{data.full_name}} {{data.a.b}}</p><a title=\"{{email}}\" href='{{ .RedirectTo }}'>{{newEmail}}</a>"
        let templates = try MailTemplates(subjects: [.recovery: "{{data.full_name}}"], bodies: [.recovery: template])
        let plain = templates.render(.recovery, in: .en, .full).html
        for text in try VectorFiles.naughtyStrings() {
            var context = MailContext.full
            context.data = ["full_name": .string(text), "a": ["b": .string(text)]]
            context.email = text
            context.newEmail = text
            context.redirectTo = text
            let mail = templates.render(.recovery, in: .en, context)
            for mark in ["<", ">", "\"", "'"] as [Unicode.Scalar] {
                #expect(mail.html.count(of: mark) == plain.count(of: mark), "\(text)")
            }
            #expect(!mail.html.lowercased().contains("<script"))
            #expect(!mail.subject.contains { $0.isNewline })
        }
    }

    @Test("An object in the metadata can't pass its members off as the mail's own values")
    func shadowing() throws {
        var context = MailContext.full
        context.data = ["x": ["link": "javascript:alert(1)", "email": "eve@example.net", "data": ["full_name": "Eve"]]]
        let template = "{{#data.x}}<a href=\"{{link}}\">{{email}}</a>{{/data.x}}"
        let rendered = try html(template, context)
        #expect(rendered == "<a href=\"https://auth.example.com/verify?token=t0ken&amp;type=x\">ada@example.org</a>")
        #expect(try html("{{#data.x}}{{data.full_name}}{{/data.x}}{{data.x.email}}", context) == "eve@example.net")
    }

    @Test("Of the metadata only texts, whole numbers and flags are shown, four objects deep")
    func metadata() throws {
        var context = MailContext.full
        context.data = [
            "text": "t", "number": 7, "flag": true, "off": false, "none": .null, "list": ["x"],
            "a": ["b": ["c": ["d": "deep", "e": ["f": "deeper"]]]],
        ]
        #expect(try html("{{data.text}}{{data.number}}{{data.flag}}{{data.a.b.c.d}}", context) == "t7truedeep")
        #expect(try html("{{data.none}}{{data.list}}{{data.a.b.c.e}}", context) == "")
        #expect(try html("{{#data.off}}on{{/data.off}}{{^data.off}}off{{/data.off}}", context) == "off")
    }
}
