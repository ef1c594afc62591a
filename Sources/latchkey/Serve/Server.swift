// SPDX-License-Identifier: Apache-2.0

import AccountPages
import AccountStore
import Accounts
import AppAPI
import AuthTypes
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import Mail
import NIOCore
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

    private let clock = SystemClock()
    private let random = SystemRandomSource()

    init(
        configuration: ServerConfiguration, development: DevelopmentMode?, selfHosted: SelfHostedEnvironment?,
        logger: Logger
    ) {
        self.configuration = configuration
        self.development = development
        self.selfHosted = selfHosted
        self.logger = logger
    }

    func run() async throws {
        let path = try DatabasePath(configuration.database).path
        let lock = try StoreLock(databaseAt: path)
        let store = try SQLiteAccountStore(
            path: path, options: SQLiteAccountStore.Options(maximumBatch: configuration.maximumBatch))
        defer { withExtendedLifetime(lock) {} }

        let mail = try Composition.mailTransport(for: configuration)
        let passwords = configuration.hashing.makePool(random: random, clock: clock.now)
        let ports = AccountPorts(
            store: store, passwords: passwords, random: random,
            messages: try Composition.messages(for: configuration, random: random))
        let keys = KeyRing(store: store, random: random)
        let directory = try await prepareDirectory(ports, keys)
        let metrics = MetricsRegistry()
        let readiness = Readiness()

        let url = ServerURL(configuration.externalURL ?? "http://\(configuration.host):\(configuration.port)")
        let responder = try await responder(
            url: url, ports: ports, keys: keys, directory: directory, metrics: metrics, readiness: readiness)
        let application = Application(
            responder: responder, server: ServerLimits().builder(),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port), serverName: nil, backlog: 1024,
                availableConnectionsDelegate: MaximumAvailableConnections(ServerLimits().connections)),
            onServerRunning: { [self] channel in
                // With port 0 the URL is known only now.
                if configuration.externalURL == nil { url.resolve(Self.url(of: channel, host: configuration.host)) }
                readiness.become(.ready)
                await announce(url.text, keys, directory)
            }, logger: logger)

        let worker = OutboxWorker(
            store: store, random: random, mail: mail ?? DevelopmentOutbox(), texts: DevelopmentOutbox(),
            // Without a mail server the outbox is where mail is read, so it keeps what it sent.
            policy: DeliveryPolicy(keepsBodies: mail == nil), logger: logger)
        var services: [any Service] = [
            OutboxService(worker: worker, clock: clock.now),
            ReaperService(reaper: Reaper(store: store), clock: clock.now, logger: logger),
        ]
        if configuration.metricsPort > 0 {
            services.append(
                MetricsEndpoint.application(
                    metrics, host: configuration.host, port: configuration.metricsPort, logger: logger))
        }
        services += [application, DrainService(readiness: readiness, logger: logger)]
        var group = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        group.maximumGracefulShutdownDuration = .seconds(30)
        do {
            try await ServiceGroup(configuration: group).run()
        } catch let error as IOError {
            throw CommandFailure("\(configuration.host):\(configuration.port): \(error)", .unavailable)
        }
        try store.close()
    }

    private func prepareDirectory(_ ports: AccountPorts, _ keys: KeyRing) async throws -> Directory {
        let administration = DirectoryAdministration(ports)
        let now = clock.now()
        var settings = development == nil ? DirectorySettings() : DevelopmentMode.settings
        if let selfHosted { settings = selfHosted.settings }
        var directory = try await administration.ensure(settings: settings, at: now)
        // What the configuration says wins over what is stored; what it does not say stays.
        var wanted = selfHosted?.settings ?? directory.settings
        for change in configuration.directoryChanges { change(&wanted) }
        directory = try await administration.update(directory.id, settings: wanted, at: now)
        if let secret = selfHosted?.sharedSecret { try await keys.importSharedSecret(secret, into: directory, at: now) }
        if let list = selfHosted?.keyList { try await keys.importKeys(list, into: directory, at: now) }
        if let development {
            let call = CallContext(
                directory: directory, now: now, device: DeviceMetadata(), language: .en,
                links: NoLinks(), actor: .commandLine)
            try await development.makeDemoUser(ports, call: call)
        }
        return directory
    }

    private func responder(
        url: ServerURL, ports: AccountPorts, keys: KeyRing, directory: Directory, metrics: MetricsRegistry,
        readiness: Readiness
    ) async throws -> some HTTPResponder<LatchkeyRequestContext> {
        let directories = DirectoryCatalog(store: ports.store)
        let limiter = RateLimiter()
        let supabase = SupabaseDialect(
            ports: ports, keys: keys, directories: directories, limiter: limiter,
            // A gateway strips the prefix, so the container behind it answers without it too.
            settings: selfHosted == nil
                ? .init(url: url, requiresAPIKey: configuration.requiresAPIKey)
                : .init(url: url, pathPrefixes: ["/auth/v1", ""], publicPrefix: "", requiresAPIKey: false))
        let app = AppAPI(
            ports: ports, keys: keys,
            issuers: DirectoryIssuers(directories: directories, store: ports.store, supabase: supabase),
            administrators: Set(configuration.administrators))

        let router = Router(context: LatchkeyRequestContext.self)
        let routes = KnownRoutes()
        let surfaces = supabase.surfaces + app.surfaces
        router.add(
            middleware: RequestSetup(
                clock: clock.now, random: random, proxies: TrustedProxies(hops: configuration.trustedProxyHops)))
        router.add(middleware: AccessLog(clock: clock.now, metrics: metrics))
        router.add(middleware: SecurityHeaders(isHTTPS: url.text.hasPrefix("https://")))
        router.add(
            middleware:
                CrossOrigin(
                    origins: configuration.corsOrigins, headers: SupabaseDialect.requestHeaders,
                    exposed: SupabaseDialect.responseHeaders))
        router.add(
            middleware: SurfaceErrors(
                surfaces: surfaces, routes: routes, fallback: selfHosted == nil ? app.errors : supabase.errors))

        HealthRoutes(
            readiness: readiness,
            checks: [.init("database") { _ = try await ports.store.read { try $0.directory(directory.id) } }]
        ).add(to: router, routes: routes)
        supabase.addRoutes(to: router, routes: routes)
        app.addRoutes(to: router, routes: routes, url: url)
        if let development {
            let project = try await ProjectKeyIssuer(for: directory, keys: keys, at: clock.now())
            try DevelopmentPages(store: ports.store) { development.settings(url: url.text, keys: project) }
                .addRoutes(to: router, routes: routes)
        }
        return router.buildResponder()
    }

    private static func url(of channel: any Channel, host: String) -> String {
        let port = channel.localAddress?.port ?? 0
        let name = host == "0.0.0.0" || host == "::" ? "localhost" : host
        return "http://\(name.contains(":") ? "[\(name)]" : name):\(port)"
    }

    private func announce(_ url: String, _ keys: KeyRing, _ directory: Directory) async {
        logger.notice("ready", metadata: ["url": .string(url)])
        guard let development,
            let project = try? await ProjectKeyIssuer(for: directory, keys: keys, at: clock.now())
        else { return }
        Output.line(
            """

            Latchkey runs in development mode at \(url)

              Settings   \(url)/dev
              Mail       \(url)/dev/mail
              Demo user  \(DevelopmentMode.demoEmail)  \(development.demoPassword)

            Supabase: point your app here and change nothing else.
              SUPABASE_URL=\(url)
              SUPABASE_ANON_KEY=\(project.anonymous)
              SUPABASE_SERVICE_ROLE_KEY=\(project.serviceRole.reveal())

            Stop it with Ctrl-C.
            """)
    }
}
