// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import Mail

@Suite("MailTemplates")
struct MailTemplatesTests {
    private static let linked: Set<MailKind> = [
        .confirmation, .recovery, .magicLink, .invite, .emailChangeCurrent, .emailChangeNew, .accountLocked,
        .accountExport, .factorRecoveryBegun, .factorAdded, .passkeyAdded,
    ]
    private static let coded =
        linked.subtracting([.accountLocked, .accountExport, .factorRecoveryBegun, .factorAdded, .passkeyAdded]).union([
            .reauthentication, .temporaryPassword, .factorCode,
        ])
    private static let toNewAddress: Set<MailKind> = [.emailChangeCurrent, .emailChangeNew, .emailChanged]

    /// Every kind of mail in every language.
    private static let all = MailKind.allKnown.flatMap { kind in MessageLanguage.allCases.map { (kind, $0) } }

    @Test("Every kind of mail is there in every language, whole: with a subject, two bodies and nothing left unfilled")
    func everyKind() throws {
        let templates = try MailTemplates()
        for (kind, language) in Self.all {
            let mail = templates.render(kind, in: language, .full)
            let name = "\(kind.rawValue), \(language)"
            for text in [mail.subject, mail.text, mail.html] {
                #expect(!text.isEmpty, "\(name)")
                #expect(text.contains("Beispiel"), "\(name)")
                for trace in ["{{", "}}", "Optional(", "nil"] { #expect(!text.contains(trace), "\(name): \(trace)") }
            }
            #expect(mail.html.contains("<html lang=\"\(language.rawValue)\">"), "\(name)")
            #expect(mail.subject.utf8.count <= 78, "\(name)")
            for body in [mail.text, mail.html] {
                #expect(body.contains("https://example.com"), "\(name)")
                #expect(body.contains("ada@example.net") == Self.toNewAddress.contains(kind), "\(name)")
            }
        }
    }

    @Test("The link and the code are in the mails that prove something, both bodies, and in no other")
    func linkAndCode() throws {
        let templates = try MailTemplates()
        let link = "https://auth.example.com/verify?token=t0ken&type=x"
        let escaped = "https://auth.example.com/verify?token=t0ken&amp;type=x"
        for (kind, language) in Self.all {
            let mail = templates.render(kind, in: language, .full)
            let name = "\(kind.rawValue), \(language)"
            let isLinked = Self.linked.contains(kind)
            #expect(mail.text.contains(link + "\n") == isLinked, "\(name)")
            #expect(mail.html.contains("<a href=\"\(escaped)\"") == isLinked, "\(name)")
            #expect(mail.html.contains(">\(escaped)<") == isLinked, "\(name)")
            #expect(mail.text.contains("2 h") == isLinked && mail.html.contains("2 h") == isLinked, "\(name)")
            for body in [mail.text, mail.html] {
                #expect(body.contains("482913") == Self.coded.contains(kind), "\(name)")
                #expect(body.contains("15 min") == Self.coded.contains(kind), "\(name)")
            }
            #expect(!mail.subject.contains("t0ken") && !mail.subject.contains("482913"), "\(name)")
        }
    }

    @Test("Without a link there is no button to nowhere, and without a code no empty line for one")
    func without() throws {
        let templates = try MailTemplates()
        let bare = MailContext(siteName: "Beispiel", siteURL: "https://example.com", email: "ada@example.org")
        for (kind, language) in Self.all {
            let mail = templates.render(kind, in: language, bare)
            #expect(!mail.html.contains("<a "))
            #expect(!mail.html.contains("monospace"))
            for word in ["min", "Code:", "code:", "{{"] {
                #expect(!mail.text.split(separator: " ").contains { $0 == word })
            }
        }
    }

    @Test("The languages differ in every mail")
    func languages() throws {
        let templates = try MailTemplates()
        for kind in MailKind.allKnown {
            let english = templates.render(kind, in: .en, .full)
            let german = templates.render(kind, in: .de, .full)
            #expect(english.subject != german.subject)
            #expect(english.text != german.text)
            #expect(english.html != german.html)
        }
    }

    @Test("Nothing in a mail is fetched from anywhere")
    func selfContained() throws {
        let templates = try MailTemplates()
        for (kind, language) in Self.all {
            let html = templates.render(kind, in: language, .full).html
            for trace in ["<img", "<script", "<style", "<iframe", "src=", "url(", "@import", "<form", "onload"] {
                #expect(!html.contains(trace))
            }
        }
    }

    @Test("No naughty string in any value adds markup to the HTML or a line to the subject")
    func naughty() throws {
        let templates = try MailTemplates()
        let plain = MailKind.allKnown.map { templates.render($0, in: .en, .full).html }
        for text in try VectorFiles.naughtyStrings() where !text.isEmpty {
            var context = MailContext.full
            context.siteName = text
            context.siteURL = text
            context.email = text
            context.newEmail = text
            context.link = text
            context.code = text
            for (kind, expected) in zip(MailKind.allKnown, plain) {
                let mail = templates.render(kind, in: .en, context)
                for mark in ["<", ">", "\"", "'"] as [Unicode.Scalar] {
                    #expect(mail.html.count(of: mark) == expected.count(of: mark), "\(kind.rawValue): \(text)")
                }
                #expect(!mail.subject.unicodeScalars.contains { $0.properties.generalCategory == .control })
                #expect(mail.subject.unicodeScalars.count <= HeaderText.longest)
            }
        }
    }

    @Test("A value that looks like a template is not read as one")
    func notRead() throws {
        var context = MailContext.full
        context.siteName = "{{code}} {{#link}}{{{email}}}"
        let mail = try MailTemplates().render(.recovery, in: .en, context)
        #expect(mail.subject == "Reset your {{code}} {{#link}}{{{email}}} password")
        #expect(mail.html.contains("{{code}} {{#link}}{{{email}}}"))
    }

    @Test("An operator's wording takes the place of the built-in one, for its kind alone and in every language")
    func wording() throws {
        let templates = try MailTemplates(
            subjects: [.recovery: "Neues Passwort, {{data.full_name}}?"],
            bodies: [.recovery: "<p><a href=\"{{ .ConfirmationURL }}\">{{ .Token }}</a></p>"])
        let builtIn = try MailTemplates()
        for language in MessageLanguage.allCases {
            let mail = templates.render(.recovery, in: language, .full)
            #expect(mail.subject == "Neues Passwort, Ada?")
            #expect(
                mail.html == "<p><a href=\"https://auth.example.com/verify?token=t0ken&amp;type=x\">482913</a></p>")
            #expect(mail.text == builtIn.render(.recovery, in: language, .full).text)
            #expect(templates.render(.invite, in: language, .full) == builtIn.render(.invite, in: language, .full))
        }
    }

    @Test("A wording for the change of an address is for both of its mails, unless one has its own")
    func change() throws {
        let templates = try MailTemplates(subjects: [.emailChange: "Both", .emailChangeNew: "New"])
        #expect(templates.render(.emailChangeCurrent, in: .en, .full).subject == "Both")
        #expect(templates.render(.emailChangeNew, in: .de, .full).subject == "New")
    }

    @Test("A wording for a kind that there is not is refused by name; an unknown kind renders empty")
    func unknownKind() throws {
        let kind = MailKind(rawValue: "newsletter")
        for make in [{ try MailTemplates(subjects: [kind: "x"]) }, { try MailTemplates(bodies: [kind: "x"]) }] {
            let error = #expect(throws: AuthError(.invalidRequest)) { try make() }
            #expect(error?.reason == "there is no mail of the kind newsletter")
        }
        let mail = try MailTemplates().render(kind, in: .en, .full)
        #expect(mail == ("", "", ""))
    }
}
