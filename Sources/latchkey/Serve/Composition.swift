// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStoreSQLite
import Accounts
import AuthTypes
import Foundation
import Mail
import MessageGateways
import Passwords
import ServerKit

/// Puts the rooms together. What the domain is given from outside (store, time, randomness, transports) is made here.
enum Composition {
    static func messages(
        for configuration: ServerConfiguration, random: any RandomSource
    ) throws -> MessageComposer {
        MessageComposer(defaults: try MailTemplates(), random: random)
    }

    /// - Throws: ``CommandFailure`` naming the setting that is missing or can't be used.
    static func mailTransport(for configuration: ServerConfiguration) throws -> (any MailTransport)? {
        let messages = configuration.messages
        guard let kind = MailGateway.Kind(rawValue: messages.mail.rawValue) else {
            do {
                return try configuration.smtp.map { try SMTPTransport($0) }
            } catch {
                throw CommandFailure("mail.smtp: \(error)", .configuration)
            }
        }
        guard configuration.smtp == nil else {
            throw CommandFailure("mail.smtp.host, mail.api.form: give one of them", .configuration)
        }
        let fields = configuration.smtpFields
        let settings = GatewaySettings(
            account: messages.mailDomain, secret: messages.mailKey,
            sender: fields.senderAddress.isEmpty ? nil : fields.senderAddress, url: messages.mailURL)
        let names = [
            "account": "mail.api.domain", "secret": "mail.api.key", "sender": "mail.senderAddress",
            "url": "mail.api.url",
        ]
        return try named(names) { () throws(AuthError) in
            try MailGateway(settings, kind: kind, senderName: fields.senderName.isEmpty ? nil : fields.senderName)
        }
    }

    /// - Throws: ``CommandFailure`` naming the setting that is missing or can't be used.
    static func textTransport(for configuration: ServerConfiguration) throws -> (any TextMessageTransport)? {
        let messages = configuration.messages
        guard let kind = TextGateway.Kind(rawValue: messages.texts.rawValue) else { return nil }
        let settings = GatewaySettings(
            account: messages.textAccount, secret: messages.textSecret, sender: messages.textSender,
            url: messages.textURL)
        let names = [
            "account": "texts.account", "secret": "texts.secret", "sender": "texts.sender", "url": "texts.url",
        ]
        return try named(names) { () throws(AuthError) in try TextGateway(settings, kind: kind) }
    }

    private static func named<Value>(
        _ names: [String: String], _ make: () throws(AuthError) -> Value
    ) throws -> Value {
        do throws(AuthError) {
            return try make()
        } catch {
            let name = error.field.map { names[$0] ?? $0 } ?? "messages"
            throw CommandFailure("\(name): \(error.reason ?? "not a valid value")", .configuration)
        }
    }
}

extension ServerConfiguration.Hashing {
    /// Hashes computed at once.
    private var computed: Int { threads > 0 ? threads : ProcessInfo.processInfo.activeProcessorCount }

    /// Requests that may be under way which have a password hashed: those that are, and those that wait.
    var places: HashingPlaces { HashingPlaces(computed + queueLength) }

    func makePool(random: any RandomSource, clock: @escaping @Sendable () -> Instant) -> PasswordHashingPool {
        PasswordHashingPool(
            parameters: parameters, threads: computed, queueLength: queueLength,
            deadline: .seconds(Int64(queueSeconds)), random: random, clock: clock)
    }
}
