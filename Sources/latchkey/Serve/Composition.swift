// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStoreSQLite
import Accounts
import AuthTypes
import Foundation
import Mail
import Passwords

/// Puts the rooms together. What the domain is given from outside (store, time, randomness, transports) is made here.
enum Composition {
    static func messages(
        for configuration: ServerConfiguration, random: any RandomSource
    ) throws -> MessageComposer {
        MessageComposer(defaults: try MailTemplates(), random: random)
    }

    static func mailTransport(for configuration: ServerConfiguration) throws -> (any MailTransport)? {
        try configuration.smtp.map { try SMTPTransport($0) }
    }
}

extension ServerConfiguration.Hashing {
    func makePool(random: any RandomSource, clock: @escaping @Sendable () -> Instant) -> PasswordHashingPool {
        PasswordHashingPool(
            parameters: parameters, threads: threads > 0 ? threads : ProcessInfo.processInfo.activeProcessorCount,
            queueLength: queueLength,
            deadline: .seconds(Int64(queueSeconds)), random: random, clock: clock)
    }
}
