// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import Accounts
import AuthTypes
import DevelopmentIdentityProvider
import Foundation
import Hummingbird
import HummingbirdCore
import IdentityProviders
import Logging
import Mail
import NIOCore
import OpenIDProvider
import ServerKit
import ServiceLifecycle
import SupabaseAPI
import UnixSignals

/// One run of the server, from an opened database to the last answered request.
struct Server: Sendable {
    let configuration: ServerConfiguration
    let development: DevelopmentMode?
    let selfHosted: SelfHostedEnvironment?
    let logger: Logger
    /// Where each request is noted.
    let requests: RequestLog

    let clock = SystemClock()
    let random = SystemRandomSource()

    init(
        configuration: ServerConfiguration, development: DevelopmentMode?, selfHosted: SelfHostedEnvironment?,
        logger: Logger, requests: RequestLog
    ) {
        self.configuration = configuration
        self.development = development
        self.selfHosted = selfHosted
        self.logger = logger
        self.requests = requests
    }

    func run() async throws {
        let lock = try configuration.database.lock()
        defer { withExtendedLifetime(lock) {} }
        let store = try await openStore()
        let sealing = try sealing(of: store)
        let isSealed = try await sealing.prepare(at: clock.now())

        let mail = try Composition.mailTransport(for: configuration)
        let texts = try Composition.textTransport(for: configuration)
        let metrics = MetricsRegistry()
        // One for whatever is counted, so that no dialect gives attempts that another has used up.
        let limiter = RateLimiter(isShared: store.isShared) { [logger] in $0.note(in: logger, metrics) }
        let url = ServerURL(configuration.externalURL ?? "http://\(configuration.host):\(configuration.port)")
        let providerKeys = ProviderKeys()
        let played = DevelopmentMode.standIns(
            // In the place of a container there are those alone that its variables name.
            development != nil && selfHosted == nil ? providerKeys : nil, url: url)
        let standIns = StandInProviders()
        let ports = try ports(
            over: store, limiter: limiter, metrics: metrics,
            // Whoever tries the server out without one reads their codes on its pages.
            reachesPhones: texts != nil || development != nil && mail == nil,
            standInProviders: { standIns.of($0) + played($0) })
        let keys = KeyRing(store: store, random: random)
        let directory = try await prepareDirectory(store, ports, keys)
        try await warnOfHooks(ports)
        standIns.add(
            selfHosted?.providers.map { $0.provider(in: directory.id, at: clock.now()) } ?? [], to: directory.id)
        if !isSealed { try await sealing.warn() }
        if let warning = configuration.databaseWarning { logger.warning("\(warning)") }
        let readiness = Readiness()

        let accounts = AccountFlows(ports, keys: keys)
        let tokens = OwnTokens(keys)
        let dialects = Dialects.all(
            configuration, isDevelopment: development != nil, selfHosted: selfHosted, url: url,
            accounts: accounts, tokens: tokens)
        Dialects.addForms(dialects, to: configuration.hooks, keys: keys)
        let provider = development.map { _ in
            DevelopmentMode.identityProvider(configuration, url: url, random: random, keys: providerKeys)
        }
        let connection = try await development?.connection(
            to: dialects, provider: provider, database: configuration.database, call: call(directory))
        let responder = try responder(
            dialects, url: url, accounts: accounts, tokens: tokens, directory: directory, store: store,
            connection: connection, provider: provider, metrics: metrics, readiness: readiness)
        let application = limits().application(
            responder: responder, host: configuration.host, port: configuration.port, metrics: metrics, logger: logger,
            refusals: refusals(dialects, url: url, metrics: metrics),
            onServerRunning: { [self] channel in
                // With port 0 the URL is known only now.
                if configuration.externalURL == nil { url.resolve(Self.url(of: channel, host: configuration.host)) }
                readiness.become(.ready)
                announce(url.text, connection)
            })

        var services = outbox(over: store, ports, dialects, url: url, mail: mail, texts: texts)
        services += duties(over: store, ports, accounts, limiter: limiter, url: url, metrics: metrics)
        try await serve(application, beside: services, readiness: readiness)
        try store.close()
    }

    /// Runs until the process is told to stop, and until what is under way then has ended.
    private func serve(
        _ application: some Service, beside services: [any Service], readiness: Readiness
    ) async throws {
        let delay = TimeSpan.seconds(Int64(configuration.shutdownDelay ?? (development == nil ? 5 : 0)))
        var group = ServiceGroupConfiguration(
            services: services + [application, DrainService(readiness: readiness, delay: delay, logger: logger)],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        group.maximumGracefulShutdownDuration = .seconds(30) + .microseconds(delay.microseconds)
        do {
            try await ServiceGroup(configuration: group).run()
        } catch let error as IOError {
            throw CommandFailure("\(configuration.host):\(configuration.port): \(error)", .unavailable)
        }
    }

    /// As many connections as are configured, and as the process can have descriptors for.
    private func limits() -> ServerLimits {
        var limits = ServerLimits()
        limits.connections = OpenFiles.connections(configuration.connections) { possible in
            logger.warning(
                "http.connections is more than this process may have files open: raise its limit (ulimit -n)",
                metadata: [
                    "configured": .stringConvertible(configuration.connections), "served": .stringConvertible(possible),
                ])
        }
        // Behind a proxy, as a container is, every connection is the proxy's: it has to tell clients apart. Otherwise
        // no client may have all.
        let most = configuration.connectionsPerClient
        limits.connectionsPerClient =
            most == 0 || isBehindProxy
            ? nil : min(most, max(1, limits.connections / 2))
        return limits
    }

    private static func url(of channel: any Channel, host: String) -> String {
        let port = channel.localAddress?.port ?? 0
        let name = host == "0.0.0.0" || host == "::" ? "localhost" : host
        return "http://\(name.contains(":") ? "[\(name)]" : name):\(port)"
    }

    private func announce(_ url: String, _ connection: DevelopmentMode.Connection?) {
        logger.notice("ready", metadata: ["url": .string(url)])
        guard let development, let connection else { return }
        Output.announcement(development.greeting(url: url, connection))
    }
}
