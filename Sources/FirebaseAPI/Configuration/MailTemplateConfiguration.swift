// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// `notification.sendEmail.…Template` of a project: an `EmailTemplate`, whose `%LINK%` and the like are the Directory's
/// values (https://cloud.google.com/identity-platform/docs/reference/rest/v2/Config#EmailTemplate). Subject and HTML
/// body are taken; senders are the server's.
enum MailTemplateConfiguration {
    private static let placeholders = [
        ("%LINK%", "{{link}}"), ("%EMAIL%", "{{email}}"), ("%NEW_EMAIL%", "{{newEmail}}"),
        ("%APP_NAME%", "{{siteName}}"),
        ("%DISPLAY_NAME%", "{{data.name}}"),
    ]

    static let fields = [
        field("notification.sendEmail.resetPasswordTemplate", kind: "recovery"),
        field("notification.sendEmail.verifyEmailTemplate", kind: "confirmation"),
    ]

    private static func field(_ path: String, kind: String) -> ConfigurationField {
        ConfigurationField(path: path) { settings in
            let mail = settings.mail
            guard mail.subjects[kind] != nil || mail.bodies[kind] != nil else { return nil }
            var json: JSONObject = ["customized": true]
            json["subject"] = mail.subjects[kind].map { .string(shown($0)) }
            json["body"] = mail.bodies[kind].map { .string(shown($0)) }
            if mail.bodies[kind] != nil { json["bodyFormat"] = "HTML" }
            return .object(json)
        } write: { value, settings in
            var template = JSONObject()
            switch value {
            case nil, .null: break
            case .object(let object): template = object
            default: throw WireError.unreadable("Invalid value at '\(path)' (TYPE_MESSAGE)")
            }
            let (subject, body) = (try text("subject", of: template, path), try text("body", of: template, path))
            let format = try text("bodyFormat", of: template, path)
            guard body == nil || format == nil || format == "HTML" else {
                throw ConfigurationField.unsupported(path + ".bodyFormat")
            }
            for member in template.members
            where !["subject", "body", "bodyFormat", "customized"].contains(member.name)
                && !ConfigurationField.isOff(member.value)
            {
                throw ConfigurationField.unsupported(path + "." + member.name.prefix(40))
            }
            settings.mail.subjects[kind] = subject.map { kept($0, settings.mail.subjects[kind]) }
            settings.mail.bodies[kind] = body.map { kept($0, settings.mail.bodies[kind]) }
        }
    }

    private static func text(_ name: String, of template: JSONObject, _ path: String) throws(WireError) -> String? {
        switch template[name] {
        case nil, .null?: return nil
        case .string(let text)?: return text.isEmpty || text.hasSuffix("_UNSPECIFIED") ? nil : text
        default: throw .unreadable("Invalid value at '\(path).\(name)' (TYPE_STRING)")
        }
    }

    /// What there is, where a text is how that is shown: it may have values that this form has no word for.
    private static func kept(_ text: String, _ former: String?) -> String {
        guard let former, shown(former) == text else { return taken(text) }
        return former
    }

    /// In the Directory's form. Braces of the text's own that meet are set apart, so that they are never that form's.
    static func taken(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar == "{", result.hasSuffix("{") { result += " " }
            result.unicodeScalars.append(scalar)
        }
        for (own, ours) in placeholders {
            // A brace before a value would open another.
            result = result.replacing("{" + own, with: "{ " + own).replacing(own, with: ours)
        }
        return result
    }

    private static func shown(_ text: String) -> String {
        placeholders.reduce(text) { $0.replacing($1.1, with: $1.0) }
    }
}
