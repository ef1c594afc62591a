// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Mustache

/// An operator's words for text messages, by kind: of those that carry a code and of those that only tell something.
public struct TextTemplates: Sendable {
    /// What a text message is filled with. It has no link: what comes by SMS is too easily forged to teach people to
    /// open links from it.
    public struct Values: Sendable {
        public var siteName: String
        public var code: String?
        public var provider: String?
        public var time: String?

        public init(siteName: String, code: String? = nil, provider: String? = nil, time: String? = nil) {
            self.siteName = siteName
            self.code = code
            self.provider = provider
            self.time = time
        }

        fileprivate var all: [String: Any] {
            var values: [String: Any] = ["siteName": siteName]
            values["code"] = code
            values["provider"] = provider
            values["time"] = time
            return values
        }
    }

    /// In place of a kind of its own: every message that carries a code.
    public static let anyCode = "sms"
    /// As many as the longest message of gateways has room for, which send it in ten parts.
    private static let longest = 1_600

    private var compiled: [String: MustacheTemplate] = [:]

    /// - Parameter templates: by kind (``TextTemplates/anyCode``, ``MailKind/factorCode`` and the kinds that only
    ///   tell), or by kind and language, such as `sms.de`.
    /// - Throws: ``AuthErrorCode/invalidRequest`` when there is no such kind, or a template can't be used; the reason
    ///   says which and why.
    public init(_ templates: [String: String]) throws(AuthError) {
        for (name, text) in templates { compiled[name] = try Self.compile(text, name) }
    }

    private init(compiled: [String: MustacheTemplate]) {
        self.compiled = compiled
    }

    /// Those that can be used, and nothing for the others.
    public static func usable(_ templates: [String: String]) -> TextTemplates {
        var compiled: [String: MustacheTemplate] = [:]
        for (name, text) in templates { compiled[name] = try? compile(text, name) }
        return TextTemplates(compiled: compiled)
    }

    /// The message; `nil` where the operator has no words for it.
    public func render(_ kind: String, in language: MessageLanguage, _ values: Values) -> String? {
        var names = [kind]
        if values.code != nil { names.append(Self.anyCode) }
        let candidates = names.flatMap { ["\($0).\(language.rawValue)", $0] }
        guard let template = candidates.lazy.compactMap({ compiled[$0] }).first else { return nil }
        let text = template.render(values.all)
        let plain = text.unicodeScalars.map { scalar in
            scalar != "\n" && scalar.properties.generalCategory == .control ? " " : Character(scalar)
        }
        return String(plain.prefix(Self.longest))
    }

    private static func compile(_ text: String, _ name: String) throws(AuthError) -> MustacheTemplate {
        let kind = TemplateName(name).kind
        guard kind == anyCode || MailKind.allKnown.contains(MailKind(rawValue: kind)) else {
            throw AuthError(
                .invalidRequest, reason: "there is no text message of the kind \(name.prefix(40))", field: "template")
        }
        let template = try OperatorTemplate(text, for: .text)
        if kind == anyCode || kind == MailKind.factorCode.rawValue {
            try template.require(["code"])
        }
        return try MailTemplates.compile(template.mustache)
    }
}
