// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Mustache

/// Every mail in every language, compiled once.
///
/// What is filled in is escaped for where it stands: an address or a name can be neither markup in the HTML nor a line
/// break in the subject.
public struct MailTemplates: Sendable {
    private struct Key: Hashable {
        var kind: MailKind
        var language: MessageLanguage
    }

    private struct Compiled: Sendable {
        var subject: MustacheTemplate
        var text: MustacheTemplate
        var html: MustacheTemplate
    }

    private var compiled: [Key: Compiled] = [:]

    /// - Parameters:
    ///   - subjects: an operator's subjects, by kind, in place of the built-in ones in every language.
    ///   - bodies: an operator's HTML bodies, by kind. The plain text stays the built-in one.
    /// - Throws: ``AuthErrorCode/invalidRequest`` when there is no such kind of mail, or an operator's template can't be
    ///   used; the reason says which and why.
    public init(subjects: [MailKind: String] = [:], bodies: [MailKind: String] = [:]) throws(AuthError) {
        for kind in Set(subjects.keys).union(bodies.keys)
        where kind != .emailChange && !MailKind.allKnown.contains(kind) {
            throw AuthError(
                .invalidRequest, reason: "there is no mail of the kind \(kind.rawValue.prefix(40))", field: "template")
        }
        for language in MessageLanguage.allCases {
            let texts = language == .de ? MailText.german : MailText.english
            let frame = language == .de ? MailText.germanFrame : MailText.englishFrame
            for (kind, text) in texts {
                let subject = try Self.operatorTemplate(subjects, kind, .subject) ?? text.subject
                let html = try Self.operatorTemplate(bodies, kind, .html)
                compiled[Key(kind: kind, language: language)] = Compiled(
                    subject: try Self.compile(subject),
                    text: try Self.compile(text.textTemplate(frame)),
                    html: try Self.compile(html ?? text.htmlTemplate(frame, language: language)))
            }
        }
    }

    private static func operatorTemplate(
        _ templates: [MailKind: String], _ kind: MailKind, _ place: OperatorTemplate.Place
    ) throws(AuthError) -> String? {
        let isChange = kind == .emailChangeCurrent || kind == .emailChangeNew
        guard let text = templates[kind] ?? (isChange ? templates[.emailChange] : nil) else { return nil }
        return try OperatorTemplate(text, for: place).mustache
    }

    /// The template escapes nothing: the values come escaped. The library's own escaping goes by grapheme, and leaves a
    /// `<` alone that a preceding or following code point joins.
    private static func compile(_ template: String) throws(AuthError) -> MustacheTemplate {
        do {
            return try MustacheTemplate(string: "{{% CONTENT_TYPE:TEXT}}" + template)
        } catch {
            throw AuthError(.invalidRequest, reason: "a mail template can't be read: \(error)", field: "template")
        }
    }

    /// The mail's subject and bodies. An unknown kind gives an empty mail, which a test rules out for the known ones.
    public func render(
        _ kind: MailKind, in language: MessageLanguage, _ context: MailContext
    ) -> (subject: String, text: String, html: String) {
        guard let template = compiled[Key(kind: kind, language: language)] else { return ("", "", "") }
        let plain = context.values { $0 }
        let subject = template.subject.render(plain)
        return (
            HeaderText.oneLine(subject), template.text.render(plain),
            template.html.render(context.values(escapedBy: HTMLText.escaped))
        )
    }
}
