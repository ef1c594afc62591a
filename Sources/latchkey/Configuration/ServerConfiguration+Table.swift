// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStorePostgres
import AuthTypes
import CognitoAPI
import IdentityProviders

extension ServerConfiguration {
    typealias Table = [Setting<ServerConfiguration>]

    /// Every setting of the server itself. Those of its default Directory are `DirectorySettings.table`.
    static let table: Table = mode + http + dialects + providers + storage + observation + mail + gateways + hashes

    private static let mode: Table = [
        .custom(
            "environment", .choice(Environment.allCases.map(\.rawValue)), default: "production",
            "development or production; serve --dev refuses to run where this says production",
            risk: "serve without --dev marks its database as production's, unless this says development"
        ) { configuration, value throws(AuthError) in configuration.environment = Environment(rawValue: value) },
        .list(
            "development.hosts", \.developmentHosts,
            "names besides localhost by which serve --dev is called; 10.0.2.2 is what Android's emulator calls its host",
            risk: "pages of each of these hosts may administer the development server"),
    ]

    private static let http: Table = [
        .text(
            "http.host", \.host, "the address to listen on",
            risk: "0.0.0.0 without TLS in front sends passwords in the clear"),
        .whole("http.port", \.port, in: 0...65_535, "the port; 0 for a free one"),
        .custom(
            "http.externalUrl", .text(SettingForm.textLimit), default: "the bound address",
            "the URL that clients use; links in mail and the issuer are built from it",
            risk: "changing it changes the issuer: tokens already issued are refused"
        ) { configuration, value throws(AuthError) in
            configuration.externalURL = try ConfigurationLoader.httpURL(value)
        },
        .whole(
            "http.trustedProxies", \.trustedProxyHops, in: 0...16,
            "how many proxies in front of the server write X-Forwarded-For; at 0, no client is counted by the address of a "
                + "private one that does",
            risk:
                "one too many lets clients choose their address, and with it their rate limit; one too few has no limits "
                + "by address"),
        .whole(
            "http.connections", \.connections, in: 16...1_000_000,
            "connections at once: for one more the one is closed that has rested longest, and where all are at work, it waits. "
                + "The process's limit of open files is raised to it where the system allows"),
        .whole(
            "http.connectionsPerClient", \.connectionsPerClient, in: 0...1_000_000,
            "connections of one address (/64 of IPv6) at once, at most half of all: for one more the one of them is closed that "
                + "has rested longest, or, where all are at work, the new one; 0 for no limit. Not counted where "
                + "http.trustedProxies is set, nor with --gotrue-env, since all connections are the proxy's then",
            risk: "without it one client can keep everyone else out; a proxy in front must count for itself"),
        .optionalWhole(
            "http.shutdownDelay", \.shutdownDelay, in: 0...300, default: "5, with serve --dev 0",
            "seconds after SIGTERM in which readiness is 503 and requests are still taken",
            risk: "shorter than a load balancer takes to notice, requests reach a server that is gone"),
        .list(
            "http.corsOrigins", \.corsOrigins,
            "origins whose browsers may call the API; credentials are never allowed"),
        .flag(
            "http.requireApiKey", \.requiresAPIKey,
            "whether calls must name their project by the apikey header",
            risk: "off only behind a gateway that checks it"),
    ]

    private static let dialects: Table = [
        .custom(
            "cognito.region", .text(32), default: "us-east-1",
            "the region that user pool identifiers begin with",
            risk: "changing it changes every pool's identifier and issuer"
        ) { configuration, value throws(AuthError) in
            let isRegion = value.utf8.allSatisfy {
                (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-")
            }
            guard isRegion, !value.isEmpty else {
                throw AuthError(.invalidRequest, reason: "expected the name of a region, such as us-east-1")
            }
            configuration.cognito.region = value
        },
        .choice(
            "cognito.issuer", \.cognito.issuerStyle,
            "own: {url}/{poolId}; aws: https://cognito-idp.{region}.amazonaws.com/{poolId}",
            risk: "aws is for verifiers that know no other issuer: they must be given the keys"),
        .custom(
            "cognito.accessKeysFile", .text(SettingForm.textLimit), default: "none",
            "a file of access keys that administer user pools: an identifier and a secret a line",
            risk: "whoever has one of them administers every Directory"
        ) { configuration, value throws(AuthError) in
            configuration.cognito.accessKeys = try AccessKeysFile.read(value)
        },
        .list(
            "app.administrators", \.administrators, default: "admin, in development also testing",
            "the groups whose members may use /v1/admin",
            risk: "a group that users can join by themselves makes them administrators"),
        .whole(
            "app.administratorMaxAge", \.administratorMaxAge, in: 0...31_536_000,
            "how many seconds ago their sign-in may be there, 0 for however long; others are told to sign in again "
                + "(RFC 9470), and API keys are not asked",
            risk: "at 0 whoever gets at an open session of an administrator's administers"),
    ]

    private static let providers: Table = [
        .list(
            "identityProviders.privateHosts", \.privateProviderHosts, form: .hosts(SettingForm.listLimit),
            default: "none",
            "hosts of other people's identity providers that may be in a private network; any other name that leads there is "
                + "not asked",
            risk: "whoever may configure providers in a Directory reaches these hosts through the server"),
        .list(
            "clients.privateHosts", \.privateClientHosts, form: .hosts(SettingForm.listLimit), default: "none",
            "hosts of apps' servers that may be on this machine or in a private network and are told there of ended sessions "
                + "(back-channel logout); any other address there is not called. serve --dev calls this machine without it",
            risk: "whoever may register clients in a Directory has the server post to these hosts, at any port and path"
        ),
        .custom(
            "identityPools.tokenService", .text(SettingForm.textLimit),
            default: "none; with serve --dev made-up credentials that open nothing",
            "the endpoint of a security token service (AWS, MinIO, Ceph) that gives identities of pools their credentials by "
                + "AssumeRoleWithWebIdentity: https, or of this machine",
            risk: "it is shown tokens by which every identity of a pool is given credentials"
        ) { configuration, value throws(AuthError) in
            _ = try SecurityTokenService(endpoint: value)
            configuration.tokenService = value
        },
        .custom(
            "hooks.file", .text(SettingForm.textLimit), default: "none",
            "a JSON file of the programs that are told of what happens to accounts, and asked before: see docs/hooks.md",
            risk: "it holds the keys that sign, and says where the server sends what it tells"
        ) { configuration, value throws(AuthError) in configuration.hooks = try HooksFile.read(value) },
    ]

    private static let storage: Table = [
        .custom(
            "database", .text(SettingForm.textLimit), default: "sqlite:latchkey.sqlite",
            "sqlite:PATH, or postgres://USER@HOST:PORT/DATABASE with libpq's parameters, such as sslmode=verify-full; what that "
                + "leaves open is found in libpq's variables (PGPASSWORD) and files (~/.pgpass)",
            risk:
                "SQLite on a network file system is not durable; PostgreSQL without sslmode=verify-full may be somebody else"
        ) { configuration, value throws(AuthError) in configuration.database = try DatabaseLocation(parsing: value) },
        .whole(
            "postgres.connections", \.postgres.connections, in: 1...1000,
            "connections to PostgreSQL for requests; each process has three more: for lists and exports, for what "
                + "others have changed, and for duties"),
        .whole(
            "postgres.answerSeconds", \.postgres.answerSeconds, in: 1...600,
            "the longest that PostgreSQL may take to answer a request; after it the request is answered with 503"),
        .custom(
            "postgres.schema", .text(63), default: "latchkey",
            "the schema of PostgreSQL that all tables are in: lower-case letters, digits and _",
            risk: "one that the database's own API shows to the world, as public often is, shows every account"
        ) { configuration, value throws(AuthError) in
            configuration.postgres.schema = try PostgresAccountStore.checked(value)
        },
        .custom(
            "postgres.replica", .text(SettingForm.textLimit), default: "none",
            "a PostgreSQL server that follows the database, as postgres://…: the audit log and operators' searches are read there, and from "
                + "the database where it is away",
            risk: "what they show is as old as it is behind"
        ) { configuration, value throws(AuthError) in
            configuration.postgres.replica = try PostgresAddress(parsing: value)
        },
        .optionalText(
            "masterKeyFile", \.masterKeyFile,
            default: "the credential latchkey-master-key, or the file beside the database that ends in .master-key",
            "the file with the key that secrets in the database are sealed under; see latchkey master-key",
            risk:
                "without a key, whoever reads the database or a backup can sign tokens; without a copy of it, a lost key is "
                + "a lost database"),
        .custom(
            "masterKey", .secret, default: "none", "the key itself, where it can't be in a file",
            risk: "variables can be read by whoever may look at the process, and are inherited"
        ) { configuration, value throws(AuthError) in configuration.masterKey = Secret(value) },
        .whole(
            "store.maximumBatch", \.maximumBatch, in: 1...4096,
            "concurrent writes that may share one commit; 1 flushes the disk for each"),
    ]

    private static let observation: Table = [
        .custom(
            "log.level", .choice(["trace", "debug", "info", "notice", "warning", "error", "critical"]), default: "info",
            "the least serious lines that are written"
        ) { configuration, value throws(AuthError) in configuration.logLevel = value },
        .choice("log.format", \.logFormat, "lines for programs or for people"),
        .whole(
            "metrics.port", \.metricsPort, in: 0...65_535,
            "the port of /metrics in Prometheus' text format; 0 for none",
            risk: "it has no authentication of its own"),
    ]

    private static let mail: Table = [
        .text(
            "mail.smtp.host", \.smtpFields.host, default: "none",
            "the mail server; without one mail is kept in the outbox"),
        .whole("mail.smtp.port", \.smtpFields.port, in: 1...65_535, "its port"),
        .custom(
            "mail.smtp.security", .choice(["starttls", "tls", "opportunistic", "none"]),
            default: "starttls", "how the connection to it is secured",
            risk: "none sends every recovery link in the clear"
        ) { configuration, value throws(AuthError) in configuration.smtpFields.security = value },
        .text(
            "mail.smtp.username", \.smtpFields.username, default: "none",
            "the account on it"),
        .custom("mail.smtp.password", .secret, default: "none", "its password") {
            configuration, value throws(AuthError) in configuration.smtpFields.password = Secret(value)
        },
        .custom(
            "mail.smtp.passwordFile", .text(SettingForm.textLimit), default: "none",
            "the file with its password, in place of mail.smtp.password"
        ) { configuration, value throws(AuthError) in
            guard configuration.smtpFields.password.reveal().isEmpty else {
                throw AuthError(.invalidRequest, reason: "given twice: as a setting, and as a file")
            }
            configuration.smtpFields.password = try SecretFile.line(of: value)
        },
        .text(
            "mail.smtp.authorityFile", \.smtpFields.authorityFile,
            default: "the system's", "a PEM file of the authorities that may vouch for it"),
        .text(
            "mail.senderAddress", \.smtpFields.senderAddress, default: "none",
            "the address mail comes from"),
        .text(
            "mail.senderName", \.smtpFields.senderName, default: "the site's name",
            "and its name"),
    ]

    private static let hashes: Table = [
        .whole(
            "passwords.memoryKib", \.hashing.memoryKiB, in: 8...262_144,
            "memory of one Argon2id hash in KiB", risk: "below 19456 with 2 iterations is weaker than OWASP's advice"),
        .whole(
            "passwords.iterations", \.hashing.iterations, in: 1...10, "passes of one hash"),
        .whole(
            "passwords.parallelism", \.hashing.parallelism, in: 1...16,
            "lanes of one hash"),
        .whole(
            "passwords.threads", \.hashing.threads, in: 0...256,
            "hashes computed at once; 0 for one a core"),
        .whole(
            "passwords.queueLength", \.hashing.queueLength, in: 0...100_000,
            "attempts that may wait for a thread; more are answered with 503 and Retry-After"),
        .whole(
            "passwords.queueSeconds", \.hashing.queueSeconds, in: 1...60,
            "the longest that an attempt may wait"),
    ]
}
