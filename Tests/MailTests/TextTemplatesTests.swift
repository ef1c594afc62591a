// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Mail
import Testing

@Suite struct TextTemplatesTests {
    private let code = TextTemplates.Values(siteName: "Acme", code: "123456")

    @Test(
        "R14.70 an operator's words for texts go by kind and language, and by that of all codes where a kind has none")
    func choice() throws {
        let templates = try TextTemplates([
            "sms": "Code: {{ .Code }}", "sms.de": "{{siteName}}: {{code}}", "factor_code": "2FA {{code}}",
            "password_changed": "Changed at {{siteName}}{{#time}} on {{time}}{{/time}}",
        ])
        #expect(templates.render("sms", in: .en, code) == "Code: 123456")
        #expect(templates.render("sms", in: .de, code) == "Acme: 123456")
        #expect(templates.render("factor_code", in: .de, code) == "2FA 123456")
        #expect(templates.render("recovery", in: .de, code) == "Acme: 123456")
        let notice = TextTemplates.Values(siteName: "Acme\u{7}", time: "today")
        #expect(templates.render("password_changed", in: .de, notice) == "Changed at Acme  on today")
        #expect(templates.render("email_changed", in: .en, notice) == nil, "the built-in words are the composer's")
    }

    @Test(
        "R14.70 what a text message can't be filled with, or would leave out its code, is refused before it is stored",
        arguments: [
            ("newsletter", "x"), ("sms", "no code"), ("factor_code.de", "kein Code"), ("sms", "{{code}} {{link}}"),
            ("sms", "{{code}} {{email}}"), ("sms", "{{{code}}}"), ("sms", "{{code}} {{> other}}"),
            ("sms", "{{#code}}{{code}}"), ("sms", "{{code}}" + String(repeating: "x", count: 1000)),
            ("sms.fr", "{{code}}"), ("password_changed", "{{ .Data.name }}"),
        ])
    func refused(name: String, text: String) {
        #expect(throws: AuthError(.invalidRequest)) { try TextTemplates([name: text]) }
        #expect(TextTemplates.usable([name: text]).render("sms", in: .de, code) == nil, "and never breaks a send")
    }

    @Test(
        "R14.70 a mail's words go by language too, and what can't be used leaves the built-in words, for its part alone"
    )
    func mails() throws {
        let templates = try MailTemplates(subjects: [
            "recovery.de": "Neu", "recovery": "New", "email_change.de": "Adresse",
        ])
        #expect(templates.render("recovery", in: .de, .sample).subject == "Neu")
        #expect(templates.render("recovery", in: .en, .sample).subject == "New")
        #expect(templates.render("email_change_new", in: .de, .sample).subject == "Adresse")
        let builtIn = try MailTemplates()
        let usable = try MailTemplates.usable(
            subjects: ["recovery": "Mine", "nothing": "x"],
            bodies: ["recovery": "{{ if .Email }}", "invite": "{{#link}}"])
        #expect(usable.render("recovery", in: .en, .sample).subject == "Mine")
        #expect(usable.render("recovery", in: .en, .sample).html == builtIn.render("recovery", in: .en, .sample).html)
        #expect(usable.render("invite", in: .en, .sample) == builtIn.render("invite", in: .en, .sample))
    }

    @Test(
        "R14.70 a body without what its mail is sent for is refused as it is stored, and so is a stranger's word in markup",
        arguments: [
            ("recovery", "<p>hello</p>"), ("recovery", "{{#link}}x{{/link}}"), ("reauthentication", "{{link}}"),
            ("account_locked", "{{code}}"), ("new_device", "<p title=\"{{device}}\">"),
            ("identity_linked", "<a href={{provider}}>"),
        ] as [(MailKind, String)])
    func means(kind: MailKind, body: String) {
        #expect(throws: AuthError(.invalidRequest)) { try MailTemplates.require(subjects: [:], bodies: [kind: body]) }
    }

    @Test(
        "R14.70 a body with its link, its code or its hash is taken",
        arguments: [
            ("recovery", "{{ .ConfirmationURL }}"), ("recovery.de", "{{ .TokenHash }}"), ("email_change", "{{code}}"),
            ("account_locked", "<a href=\"{{link}}\">{{time}} {{device}}</a>"), ("password_changed", "<p>x</p>"),
        ] as [(MailKind, String)])
    func taken(kind: MailKind, body: String) throws {
        try MailTemplates.require(subjects: [:], bodies: [kind: body])
    }
}

extension MailKind: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}

extension MailContext {
    fileprivate static let sample = MailContext(
        siteName: "Acme", siteURL: nil, email: "ada@example.com", link: "https://a.example", code: "1")
}
