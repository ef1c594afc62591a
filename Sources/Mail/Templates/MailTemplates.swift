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
        var language: MailLanguage
    }

    private struct Compiled: Sendable {
        var subject: MustacheTemplate
        var text: MustacheTemplate
        var html: MustacheTemplate
    }

    private var compiled: [Key: Compiled] = [:]

    /// - Parameters:
    ///   - subjects: an operator's subjects, by kind, in place of the built-in ones in every language.
    ///   - bodies: an operator's HTML bodies, by kind.
    /// - Throws: ``AuthErrorCode/invalidRequest`` when an operator's template can't be used.
    public init(subjects: [MailKind: String] = [:], bodies: [MailKind: String] = [:]) throws(AuthError) {
        for language in MailLanguage.allCases {
            let texts = language == .de ? MailText.german : MailText.english
            let frame = language == .de ? MailText.germanFrame : MailText.englishFrame
            for (kind, text) in texts {
                let subject = try subjects[kind].map { text throws(AuthError) in try OperatorTemplate(text).mustache }
                let html = try bodies[kind].map { text throws(AuthError) in try OperatorTemplate(text).mustache }
                compiled[Key(kind: kind, language: language)] = Compiled(
                    // A subject is plain text: nothing in it is escaped for HTML.
                    subject: try Self.compile("{{% CONTENT_TYPE:TEXT}}" + (subject ?? text.subject)),
                    text: try Self.compile("{{% CONTENT_TYPE:TEXT}}" + text.textTemplate(frame)),
                    html: try Self.compile(html ?? text.htmlTemplate(frame, language: language)))
            }
        }
    }

    private static func compile(_ template: String) throws(AuthError) -> MustacheTemplate {
        do {
            return try MustacheTemplate(string: template)
        } catch {
            throw AuthError(.invalidRequest, reason: "a mail template can't be read: \(error)", field: "template")
        }
    }

    /// The mail's subject and bodies. An unknown kind gives an empty mail, which a test rules out for the known ones.
    public func render(
        _ kind: MailKind, in language: MailLanguage, _ context: MailContext
    ) -> (subject: String, text: String, html: String) {
        guard let template = compiled[Key(kind: kind, language: language)] else { return ("", "", "") }
        let values = context.values
        let subject = template.subject.render(values)
        return (HeaderText.oneLine(subject), template.text.render(values), template.html.render(values))
    }
}
