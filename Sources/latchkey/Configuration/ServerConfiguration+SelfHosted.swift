// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStorePostgres
import Accounts
import AuthTypes
import Foundation
import Mail
import SupabaseAPI

extension ServerConfiguration {
    /// Takes over the variables of a platform's container, so that a check says of them what a start does.
    ///
    /// - Parameters:
    ///   - host: as the command line names it, which wins.
    ///   - port: as the command line names it, which wins.
    /// - Throws: ``CommandFailure`` that names the variable.
    mutating func takeOver(
        _ variables: [String: String], host: String? = nil, port: Int? = nil, isDevelopment: Bool
    ) throws -> SelfHostedEnvironment {
        var taken: SelfHostedEnvironment
        do {
            taken = try SelfHostedEnvironment(variables, isDevelopment: isDevelopment)
            // As they will be once those are laid over them which are this server's alone.
            var wanted = taken.settings
            for change in directoryChanges { try change.setting.set(change.value, in: &wanted) }
            try wanted.requireInRange(changedFrom: DirectorySettings())
        } catch {
            throw CommandFailure("\(error.field ?? "environment"): \(error.reason ?? "not valid")", .configuration)
        }
        if let url = taken.externalURL {
            do {
                externalURL = try ConfigurationLoader.httpURL(url)
            } catch {
                throw CommandFailure("API_EXTERNAL_URL: \(error.reason ?? "not valid")", .configuration)
            }
        }
        try takeOverDatabase(&taken)
        if port == nil, let value = taken.port { self.port = value }
        // A container is called from outside of itself, a developer's machine is not.
        if host == nil { self.host = taken.host ?? (isDevelopment ? self.host : "0.0.0.0") }
        if let mail = taken.smtp, smtp == nil {
            smtp = SMTPSettings(
                host: mail.host, port: mail.port, username: mail.username, password: mail.password,
                // As the container does: port 465 speaks TLS from the start, any other upgrades where it can.
                security: mail.port == 465 ? .tls : .opportunistic, senderName: mail.senderName,
                senderAddress: mail.senderAddress)
        }
        if let name = taken.textProvider, messages.texts == .none,
            let gateway = MessageFields.TextGatewayChoice(rawValue: name)
        {
            let fields = taken.textProviders[name]
            (messages.texts, messages.textAccount) = (gateway, fields?.account)
            (messages.textSecret, messages.textSender) = (fields?.secret, fields?.sender)
        }
        for hook in taken.hooks {
            do {
                hooks.blocking.append(try HooksFile.blocking(hook))
            } catch {
                throw CommandFailure("\(hook.variable): \(error.reason ?? "not valid")", .configuration)
            }
        }
        return taken
    }

    /// Where nothing else says where accounts are, they are in the platform's database, in a schema of their own beside
    /// its.
    private mutating func takeOverDatabase(_ taken: inout SelfHostedEnvironment) throws {
        guard let url = taken.database.url else { return }
        let location: DatabaseLocation
        do {
            location = .postgres(try PostgresAddress(parsing: url.reveal()))
        } catch {
            throw CommandFailure("GOTRUE_DB_DATABASE_URL: \(error.reason ?? "not valid")", .configuration)
        }
        guard database == .standard || database == location else {
            return taken.leaveDatabase(because: "the setting `database` says that accounts are elsewhere")
        }
        database = location
        takenNamespace = taken.database.namespace
    }

    /// Development mode is for one person's machine, and must not become a way around production's rules. Whether the
    /// database is production's is asked once it is open: see ``Server``.
    mutating func becomeDevelopment() throws {
        guard environment != .production else {
            throw CommandFailure(
                "--dev refuses to run: environment is production, by latchkey.yaml or LATCHKEY_ENVIRONMENT",
                .configuration)
        }
        guard ["127.0.0.1", "::1", "localhost"].contains(host) else {
            throw CommandFailure("--dev listens on loopback only, not on \(host)", .configuration)
        }
        environment = .development
        logFormat = .readable
        if database == .standard { database = .sqlite(path: DevelopmentMode.databasePath) }
    }
}
