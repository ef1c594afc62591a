// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail
import MessageGateways

extension ServerConfiguration {
    /// Who carries text messages, and mail that no SMTP server does.
    struct MessageFields: Sendable {
        enum TextGatewayChoice: String, Sendable, CaseIterable {
            case none
            case twilio
            case vonage
            case messagebird
            case webhook
        }

        enum MailForm: String, Sendable, CaseIterable {
            case none
            case resend
            case mailgun
        }

        var texts = TextGatewayChoice.none
        var textAccount: String?
        var textSecret: Secret<String>?
        var textSender: String?
        var textURL: String?
        var mail = MailForm.none
        var mailKey: Secret<String>?
        var mailDomain: String?
        var mailURL: String?
    }

    static let gateways: Table = [
        .custom(
            "mail.templates", .text(SettingForm.textLimit), default: "none",
            "a folder with your own words for mails and text messages: KIND.html, KIND.subject.txt, KIND.txt; it is the whole "
                + "of what the default Directory has"
        ) { configuration, value throws(AuthError) in
            configuration.directoryChanges += try TemplateFolder.read(value)
        },
        .choice(
            "mail.api.form", \.messages.mail,
            "whose HTTP API mail is sent by, in place of an SMTP server"),
        secret("mail.api.key", \.messages.mailKey, "its key"),
        secretFile("mail.api.keyFile", \.messages.mailKey, "the file with its key, in place of mail.api.key"),
        .optionalText(
            "mail.api.domain", \.messages.mailDomain, default: "none", "the sending domain, for mailgun"),
        .optionalText(
            "mail.api.url", \.messages.mailURL, default: "the vendor's",
            "where the API is: https, or of this machine; another region's, such as https://api.eu.mailgun.net",
            risk: "whoever answers there reads every recovery link"),
        .choice(
            "texts.gateway", \.messages.texts,
            "who carries text messages: a vendor, or webhook for a gateway of your own; with none nothing that needs one "
                + "is offered"),
        .optionalText(
            "texts.account", \.messages.textAccount, default: "none",
            "the account on it: twilio's account SID, vonage's API key"),
        secret(
            "texts.secret", \.messages.textSecret,
            "its secret: twilio's auth token, vonage's API secret, messagebird's access key, a webhook's signing secret "
                + "(whsec_…)"),
        secretFile("texts.secretFile", \.messages.textSecret, "the file with its secret, in place of texts.secret"),
        .optionalText(
            "texts.sender", \.messages.textSender, default: "none",
            "whom messages come from: a number, a name, or twilio's messaging service (MG…)"),
        .optionalText(
            "texts.url", \.messages.textURL, default: "the vendor's",
            "where the gateway is: https, or of this machine; a webhook's whole URL",
            risk: "whoever answers there reads every code"),
    ]

    private typealias SecretPath = any WritableKeyPath<ServerConfiguration, Secret<String>?> & Sendable

    private static func secret(_ name: String, _ place: SecretPath, _ summary: String) -> Setting<ServerConfiguration> {
        .custom(name, .secret, default: "none", summary) { configuration, value throws(AuthError) in
            try take(Secret(value), at: place, in: &configuration)
        }
    }

    private static func secretFile(
        _ name: String, _ place: SecretPath, _ summary: String
    ) -> Setting<ServerConfiguration> {
        .custom(name, .text(SettingForm.textLimit), default: "none", summary) {
            configuration, value throws(AuthError) in
            try take(try SecretFile.line(of: value), at: place, in: &configuration)
        }
    }

    private static func take(
        _ secret: Secret<String>, at place: SecretPath, in configuration: inout ServerConfiguration
    ) throws(AuthError) {
        guard configuration[keyPath: place] == nil else {
            throw AuthError(.invalidRequest, reason: "given twice: as a setting, and as a file")
        }
        configuration[keyPath: place] = secret
    }
}
