// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import CognitoAPI

extension ConfigurationKey {
    /// The settings of the server itself.
    static let server: [ConfigurationKey] = [
        ConfigurationKey(
            "environment",
            .text { configuration, value in
                guard let environment = ServerConfiguration.Environment(rawValue: value) else {
                    throw AuthError(.invalidRequest, reason: "expected development or production")
                }
                configuration.environment = environment
            }, default: "production",
            "development or production; serve --dev refuses to run where this says production",
            risk: "serve without --dev marks its database as production's, unless this says development"),
        ConfigurationKey(
            "development.hosts", .list { $0.developmentHosts = $1 }, default: "10.0.2.2",
            "names besides localhost by which serve --dev is called; 10.0.2.2 is what Android's emulator calls its host",
            risk: "pages of each of these hosts may administer the development server"),
        ConfigurationKey(
            "http.host", .text { $0.host = $1 }, default: "127.0.0.1", "the address to listen on",
            risk: "0.0.0.0 without TLS in front sends passwords in the clear"),
        ConfigurationKey(
            "http.port", .whole(0...65_535) { $0.port = $1 }, default: "8080", "the port; 0 for a free one"),
        ConfigurationKey(
            "http.externalUrl",
            .text { configuration, value in
                configuration.externalURL = try ConfigurationLoader.httpURL(value)
            }, default: "the bound address", "the URL that clients use; links in mail and the issuer are built from it",
            risk: "changing it changes the issuer: tokens already issued are refused"),
        ConfigurationKey(
            "http.trustedProxies", .whole(0...16) { $0.trustedProxyHops = $1 }, default: "0",
            "how many proxies in front of the server write X-Forwarded-For",
            risk: "one too many lets clients choose their address, and with it their rate limit"),
        ConfigurationKey(
            "http.connections", .whole(16...1_000_000) { $0.connections = $1 }, default: "10000",
            "connections at once; more wait. The process's limit of open files is raised to it where the system allows"),
        ConfigurationKey(
            "http.connectionsPerClient", .whole(0...1_000_000) { $0.connectionsPerClient = $1 }, default: "500",
            "connections of one address (/64 of IPv6) at once, at most half of all; 0 for no limit. Not counted where "
                + "http.trustedProxies is set, since all connections are the proxy's then",
            risk: "without it one client can keep everyone else out; a proxy in front must count for itself"),
        ConfigurationKey(
            "http.shutdownDelay", .whole(0...300) { $0.shutdownDelay = $1 }, default: "5, with serve --dev 0",
            "seconds after SIGTERM in which readiness is 503 and requests are still taken",
            risk: "shorter than a load balancer takes to notice, requests reach a server that is gone"),
        ConfigurationKey(
            "http.corsOrigins", .list { $0.corsOrigins = $1 }, default: "*",
            "origins whose browsers may call the API; credentials are never allowed"),
        ConfigurationKey(
            "http.requireApiKey", .flag { $0.requiresAPIKey = $1 }, default: "true",
            "whether calls must name their project by the apikey header",
            risk: "off only behind a gateway that checks it"),
        ConfigurationKey(
            "cognito.region",
            .text { configuration, value in
                let isRegion = value.utf8.allSatisfy {
                    (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-")
                }
                guard isRegion, (1...32).contains(value.utf8.count) else {
                    throw AuthError(.invalidRequest, reason: "expected the name of a region, such as us-east-1")
                }
                configuration.cognito.region = value
            }, default: "us-east-1", "the region that user pool identifiers begin with",
            risk: "changing it changes every pool's identifier and issuer"),
        ConfigurationKey(
            "cognito.issuer",
            .text { configuration, value in
                guard let style = CognitoDialect.Settings.IssuerStyle(rawValue: value) else {
                    throw AuthError(.invalidRequest, reason: "expected own or aws")
                }
                configuration.cognito.issuerStyle = style
            }, default: "own", "own: {url}/{poolId}; aws: https://cognito-idp.{region}.amazonaws.com/{poolId}",
            risk: "aws is for verifiers that know no other issuer: they must be given the keys"),
        ConfigurationKey(
            "cognito.accessKeysFile",
            .text { configuration, value in
                configuration.cognito.accessKeys = try AccessKeysFile.read(value)
            }, default: "none", "a file of access keys that administer user pools: an identifier and a secret a line",
            risk: "whoever has one of them administers every Directory"),
        ConfigurationKey(
            "app.administrators", .list { $0.administrators = $1 }, default: "admin",
            "the groups whose members may use /v1/admin",
            risk: "a group that users can join by themselves makes them administrators"),
        ConfigurationKey(
            "database", .text { $0.database = $1 }, default: "sqlite:latchkey.sqlite", "sqlite:PATH",
            risk: "a path on a network file system loses the durability of SQLite"),
        ConfigurationKey(
            "masterKeyFile", .text { $0.masterKeyFile = $1 },
            default: "the credential latchkey-master-key, or the file beside the database that ends in .master-key",
            "the file with the key that secrets in the database are sealed under; see latchkey master-key",
            risk:
                "without a key, whoever reads the database or a backup can sign tokens; without a copy of it, a lost key is "
                + "a lost database"),
        ConfigurationKey(
            "masterKey", .secret { $0.masterKey = $1 }, default: "none", "the key itself, where it can't be in a file",
            risk: "variables can be read by whoever may look at the process, and are inherited"),
        ConfigurationKey(
            "store.maximumBatch", .whole(1...4096) { $0.maximumBatch = $1 }, default: "256",
            "concurrent writes that may share one commit; 1 flushes the disk for each"),
        ConfigurationKey(
            "log.level",
            .text { configuration, value in
                guard ["trace", "debug", "info", "notice", "warning", "error", "critical"].contains(value) else {
                    throw AuthError(.invalidRequest, reason: "expected trace … critical")
                }
                configuration.logLevel = value
            }, default: "info", "trace, debug, info, notice, warning, error or critical"),
        ConfigurationKey(
            "log.format",
            .text { configuration, value in
                guard let format = ServerConfiguration.LogFormat(rawValue: value) else {
                    throw AuthError(.invalidRequest, reason: "expected json or readable")
                }
                configuration.logFormat = format
            }, default: "json", "json or readable"),
        ConfigurationKey(
            "metrics.port", .whole(0...65_535) { $0.metricsPort = $1 }, default: "0",
            "the port of /metrics in Prometheus' text format; 0 for none",
            risk: "it has no authentication of its own"),

        ConfigurationKey(
            "mail.smtp.host", .text { $0.smtpFields.host = $1 }, default: "",
            "the mail server; empty keeps mail in the outbox"),
        ConfigurationKey("mail.smtp.port", .whole(1...65_535) { $0.smtpFields.port = $1 }, default: "587", "its port"),
        ConfigurationKey(
            "mail.smtp.security",
            .text { configuration, value in
                guard ["starttls", "tls", "opportunistic", "none"].contains(value) else {
                    throw AuthError(.invalidRequest, reason: "expected starttls, tls, opportunistic or none")
                }
                configuration.smtpFields.security = value
            }, default: "starttls", "starttls, tls, opportunistic or none",
            risk: "none sends every recovery link in the clear"),
        ConfigurationKey("mail.smtp.username", .text { $0.smtpFields.username = $1 }, default: "", "the account on it"),
        ConfigurationKey("mail.smtp.password", .secret { $0.smtpFields.password = $1 }, default: "", "its password"),
        ConfigurationKey(
            "mail.smtp.authorityFile", .text { $0.smtpFields.authorityFile = $1 }, default: "the system's",
            "a PEM file of the authorities that may vouch for it"),
        ConfigurationKey(
            "mail.senderAddress", .text { $0.smtpFields.senderAddress = $1 }, default: "", "the address mail comes from"
        ),
        ConfigurationKey(
            "mail.senderName", .text { $0.smtpFields.senderName = $1 }, default: "the site's name", "and its name"),

        ConfigurationKey(
            "passwords.memoryKib", .whole(8...262_144) { $0.hashing.memoryKiB = $1 }, default: "19456",
            "memory of one Argon2id hash in KiB", risk: "below 19456 with 2 iterations is weaker than OWASP's advice"),
        ConfigurationKey(
            "passwords.iterations", .whole(1...10) { $0.hashing.iterations = $1 }, default: "2", "passes of one hash"),
        ConfigurationKey(
            "passwords.parallelism", .whole(1...16) { $0.hashing.parallelism = $1 }, default: "1", "lanes of one hash"),
        ConfigurationKey(
            "passwords.threads", .whole(0...256) { $0.hashing.threads = $1 }, default: "0",
            "hashes computed at once; 0 for one a core"),
        ConfigurationKey(
            "passwords.queueLength", .whole(0...100_000) { $0.hashing.queueLength = $1 }, default: "256",
            "attempts that may wait for a thread; more are answered with 503 and Retry-After"),
        ConfigurationKey(
            "passwords.queueSeconds", .whole(1...60) { $0.hashing.queueSeconds = $1 }, default: "5",
            "the longest that an attempt may wait"),
    ]
}
