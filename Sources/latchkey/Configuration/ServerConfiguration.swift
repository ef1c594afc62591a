// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStorePostgres
import Accounts
import AuthTypes
import CognitoAPI
import Mail
import Passwords

/// Everything that the server is told before it starts.
struct ServerConfiguration: Sendable {
    enum Environment: String, Sendable, CaseIterable {
        case development
        case production
    }

    enum LogFormat: String, Sendable, CaseIterable {
        case json
        case readable
    }

    /// What the configuration says; `nil` where it says nothing. Only `--dev` makes a development server; it refuses to
    /// be one where this says production.
    var environment: Environment?
    var host = "127.0.0.1"
    var port = 8080
    /// The URL that clients use; `nil` takes the address the server is bound to.
    var externalURL: String?
    var trustedProxyHops = 0
    var connections = 10_000
    /// 0 for no limit of its own.
    var connectionsPerClient = 500
    /// Seconds between the end of readiness and that of listening; `nil` for the mode's own.
    var shutdownDelay: Int?
    var corsOrigins: [String] = ["*"]
    var requiresAPIKey = true
    /// Names by which a development server may be called besides those of the loopback.
    var developmentHosts = ["10.0.2.2"]
    /// Hosts of other people's identity providers that may be in a private network.
    var privateProviderHosts: [String] = []
    /// Hosts of clients' servers that may be on this machine or in a private network.
    var privateClientHosts: [String] = []
    /// Who gives credentials to identities of pools.
    var tokenService: String?
    /// The programs that are told and asked of what happens.
    var hooks = Hooks()
    var cognito = Cognito()
    /// Groups whose members may use `/v1/admin` (C-4).
    var administrators: [String] {
        get { chosenAdministrators ?? (environment == .development ? ["admin", "testing"] : ["admin"]) }
        set { chosenAdministrators = newValue }
    }
    private var chosenAdministrators: [String]?
    /// How many seconds ago they may have signed in; 0 for however long.
    var administratorMaxAge = 0
    var database = DatabaseLocation.standard
    var postgres = Postgres()
    /// The schema of the database that has another server's accounts, which are taken over; `nil` for none.
    var takenNamespace: String?
    /// Keys that the secrets in the database are sealed under, or the file that has them; `nil` looks for one.
    var masterKey: Secret<String>?
    var masterKeyFile: String?
    /// Concurrent writes that may share one commit.
    var maximumBatch = 256
    var logLevel = "info"
    var logFormat = LogFormat.json
    /// The port of `/metrics`; 0 for none.
    var metricsPort = 0
    var smtp: SMTPSettings?
    var hashing = Hashing()
    /// Settings of the default Directory that the configuration names; they are laid over the stored ones.
    var directoryChanges: [DirectoryChange] = []

    struct Hashing: Sendable {
        var memoryKiB = 19_456
        var iterations = 2
        var parallelism = 1
        /// Hashes computed at once; 0 for one a core.
        var threads = 0
        /// How many attempts may wait, and for how many seconds.
        var queueLength = 256
        var queueSeconds = 5

        var parameters: Argon2Parameters {
            Argon2Parameters(
                memoryKiB: UInt32(memoryKiB), iterations: UInt32(iterations), parallelism: UInt32(parallelism))
        }
    }

    struct Postgres: Sendable {
        var connections = 10
        /// How long an answer of its may take.
        var answerSeconds = 30
        /// What all tables are in.
        var schema = "latchkey"
        /// A server that follows the database, for lists that may be some seconds late.
        var replica: PostgresAddress?
    }

    struct Cognito: Sendable {
        var region = "us-east-1"
        var issuerStyle = CognitoDialect.Settings.IssuerStyle.own
        /// The access keys that administer user pools, by their identifiers.
        var accessKeys: [String: Secret<String>] = [:]
    }

    var smtpFields = SMTPFields()
    var messages = MessageFields()

    struct SMTPFields: Sendable {
        var host = ""
        var port = 587
        var username = ""
        var password = Secret("")
        var security = "starttls"
        var authorityFile = ""
        var senderAddress = ""
        var senderName = ""
    }
}
