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
    ///   - subjects: an operator's subjects, by kind, in place of the built-in ones in every language, or by kind and
    ///     language, such as `recovery.de`.
    ///   - bodies: an operator's HTML bodies, likewise. The plain text stays the built-in one.
    /// - Throws: ``AuthErrorCode/invalidRequest`` when there is no such kind of mail, or an operator's template can't
    ///   be used; the reason says which and why.
    public init(subjects: [MailKind: String] = [:], bodies: [MailKind: String] = [:]) throws(AuthError) {
        for kind in Set(subjects.keys).union(bodies.keys)
        where !Self.isKnown(kind) {
            throw AuthError(
                .invalidRequest, reason: "there is no mail of the kind \(kind.rawValue.prefix(40))", field: "template")
        }
        compiled = try Self.builtIn.get()
        if subjects.isEmpty, bodies.isEmpty { return }
        for key in compiled.keys {
            if let subject = try Self.operatorTemplate(subjects, key, .subject) {
                compiled[key]?.subject = try Self.compile(subject)
            }
            if let body = try Self.operatorTemplate(bodies, key, .html) {
                compiled[key]?.html = try Self.compile(body)
            }
        }
    }

    /// Compiled once for all: who has templates of their own waits for those alone.
    private static let builtIn = Result<[Key: Compiled], AuthError> { () throws(AuthError) in
        var compiled: [Key: Compiled] = [:]
        for language in MessageLanguage.allCases {
            let texts = language == .de ? MailText.german : MailText.english
            let frame = language == .de ? MailText.germanFrame : MailText.englishFrame
            for (kind, text) in texts {
                compiled[Key(kind: kind, language: language)] = Compiled(
                    subject: try compile(text.subject), text: try compile(text.textTemplate(frame)),
                    html: try compile(text.htmlTemplate(frame, language: language)))
            }
        }
        return compiled
    }

    private static func operatorTemplate(
        _ templates: [MailKind: String], _ key: Key, _ place: OperatorTemplate.Place
    ) throws(AuthError) -> String? {
        if templates.isEmpty { return nil }
        let isChange = key.kind == .emailChangeCurrent || key.kind == .emailChangeNew
        let names = (isChange ? [key.kind, .emailChange] : [key.kind]).flatMap {
            [MailKind(rawValue: "\($0.rawValue).\(key.language.rawValue)"), $0]
        }
        guard let text = names.lazy.compactMap({ templates[$0] }).first else { return nil }
        return try OperatorTemplate(text, for: place).mustache
    }

    private static func isKnown(_ name: MailKind) -> Bool {
        let kind = MailKind(rawValue: TemplateName(name.rawValue).kind)
        return kind == .emailChange || MailKind.allKnown.contains(kind)
    }

    /// With those of an operator's templates that can be used, and the built-in ones in place of the others: what is
    /// wrong with a template never keeps a message from being sent.
    public static func usable(subjects: [MailKind: String], bodies: [MailKind: String]) throws(AuthError) -> Self {
        func sound(_ templates: [MailKind: String], _ place: OperatorTemplate.Place) -> [MailKind: String] {
            templates.filter { name, text in
                isKnown(name) && (try? compile(OperatorTemplate(text, for: place).mustache)) != nil
            }
        }
        return try MailTemplates(subjects: sound(subjects, .subject), bodies: sound(bodies, .html))
    }

    /// Judges an operator's templates as they are stored.
    ///
    /// - Throws: ``AuthErrorCode/invalidRequest`` as ``init(subjects:bodies:)``, and for the body of a mail that would
    ///   not carry what it is sent for: its link, its code, or the hash that an operator's own page hands over.
    public static func require(subjects: [MailKind: String], bodies: [MailKind: String]) throws(AuthError) {
        _ = try MailTemplates(subjects: subjects, bodies: bodies)
        for (name, text) in bodies {
            guard let means = means[TemplateName(name.rawValue).kind] else { continue }
            try OperatorTemplate(text, for: .html).require(means)
        }
    }

    /// What a mail of each kind is of no use without: one of these.
    private static let means: [String: Set<String>] = {
        var means: [String: Set<String>] = [:]
        for kind in [
            MailKind.confirmation, .recovery, .magicLink, .invite, .emailChange, .emailChangeCurrent, .emailChangeNew,
        ] { means[kind.rawValue] = ["link", "code", "tokenHash"] }
        for kind in [MailKind.reauthentication, .temporaryPassword, .factorCode] { means[kind.rawValue] = ["code"] }
        for kind in [MailKind.accountLocked, .accountExport] { means[kind.rawValue] = ["link"] }
        return means
    }()

    /// The template escapes nothing: the values come escaped. The library's own escaping goes by grapheme, and leaves a
    /// `<` alone that a preceding or following code point joins.
    static func compile(_ template: String) throws(AuthError) -> MustacheTemplate {
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
