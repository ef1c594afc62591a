// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import Accounts
import AuthTypes
import IdentityProviders
import Mail
import OpenIDProvider
import ServerKit
import ServiceLifecycle

/// What the server does beside answering requests.
extension Server {
    /// Who carries what the outbox holds: a worker for what somebody waits for, and one for the rest.
    func outbox(
        over store: any AccountDatabase, _ ports: AccountPorts, _ dialects: [any Dialect], url: ServerURL,
        mail: (any MailTransport)?, texts: (any TextMessageTransport)?
    ) -> [any Service] {
        let links = SiteLinks(url)
        let isDevelopment = development != nil
        let transports = OutboxTransports(
            mail: mail, texts: texts, webhooks: EventDelivery(configuration.hooks),
            syncs: WaitingSyncs(ports, links: links), revocations: UpstreamRevocations(ports),
            logouts: dialects.lazy.compactMap { $0 as? OpenIDProvider }.first.map {
                BackchannelLogout(
                    $0,
                    poster: FormPoster(
                        allowsLoopback: isDevelopment, privateHosts: Set(configuration.privateClientHosts)))
            },
            letters: HookedLetters(ports, links: links))
        return DeliveryPolicy.Urgency.allCases.map { urgency in
            // Without a mail server the outbox is where messages are read, so it keeps them.
            let worker = OutboxWorker(
                store: store, random: random, transports: transports, urgency: urgency, keepsBodies: mail == nil,
                logger: logger)
            return OutboxService(worker: worker, clock: clock.now)
        }
    }

    /// What is to be done from time to time, and the listener for metrics.
    func duties(
        over store: any AccountDatabase, _ ports: AccountPorts, _ accounts: AccountFlows, limiter: RateLimiter,
        url: ServerURL, metrics: MetricsRegistry
    ) -> [any Service] {
        let links = SiteLinks(url)
        let duties = store.duties()
        var services: [any Service] = [
            ChangeService(
                signals: store.changeSignals(every: ChangeService.interval), changes: accounts.changeFollower(),
                logger: logger),
            GrantCheckService(
                check: CheckGrants(ports, links: links), isOnDuty: { await duties.isOurs(.grantChecks) },
                clock: clock.now, logger: logger),
            UpkeepService(
                upkeep: UpkeepService.duties(ports, links: links, of: store),
                isOnDuty: { await duties.isOurs(.upkeep) }, clock: clock.now, metrics: metrics, logger: logger),
            MemoryService(),
        ]
        if store.isShared {
            services.append(
                ClientCallService(
                    exchange: ClientCallExchange(limiter, store: store), clock: clock.now, logger: logger))
        }
        if configuration.metricsPort > 0 {
            services.append(
                MetricsEndpoint.application(
                    metrics, host: configuration.host, port: configuration.metricsPort, logger: logger))
        }
        return services
    }
}
