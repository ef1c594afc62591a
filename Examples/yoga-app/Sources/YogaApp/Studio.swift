// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient

/// The app put together: its session, its API, and what the user lets leave the device. Made once, at the start.
@MainActor
public final class Studio {
    public let service: SessionService
    public let session: SessionModel
    public let client: AuthenticatedClient
    public let consent: ConsentGate
    public let gate: AgeGate
    public let failures: SignInFailures
    /// Providers with a kit of their own on the device, such as ``GoogleKit``.
    public let kits: [any NativeIdentityProvider]
    /// Providers by the service's pages, such as `google`.
    public let pages: [String]
    /// Where the user's other devices are listed. `nil` where the app has nothing for it.
    public let devices: (any DeviceSessions)?
    /// Links of mails, and of whoever sends one.
    public let links: DeepLinks
    public let support: String?

    /// - Parameters:
    ///   - backend: of the vendor, such as a `CognitoHostedUIBackend`.
    ///   - store: a `KeychainStore` on a device.
    ///   - api: the address of the app's own API.
    ///   - scheme: of the app's links, as its Info.plist has it.
    public init(
        backend: any IdentityBackend, store: any SecureStore, api: String, scheme: String = "yoga",
        kits: [any NativeIdentityProvider] = [],
        pages: [String] = [], devices: (any DeviceSessions)? = nil, support: String? = nil,
        transport: any HTTPTransport = SystemTransport(), clock: any ClientClock = SystemClock()
    ) throws(AuthError) {
        let places = try RedirectAllowList(["/activities", "/you"])
        let pending = PendingDeepLink(store: store, clock: clock, allowed: places)
        let service = SessionService(
            backend: backend, store: store, clock: clock, companions: [pending], providers: kits)
        self.service = service
        client = try AuthenticatedClient(baseURL: api, service: service, transport: transport)
        session = SessionModel(service: service)
        let consent = ConsentGate(store: store, analytics: { _ in NoopAnalytics() })
        self.consent = consent
        links = DeepLinks(
            router: DeepLinkRouter(schemes: [scheme], allowed: places), service: service, pending: pending,
            support: support
        ) { link, code in consent.report(link, code) }
        gate = AgeGate(store: store)
        failures = SignInFailures(clock: clock)
        self.kits = kits
        self.pages = pages
        self.devices = devices
        self.support = support
    }

    /// What the device remembers, and whether it still holds. Called once.
    public func start() async {
        await consent.load()
        await service.restore()
    }

    /// The user's activities, page by page.
    public func activities() -> ActivitiesModel<JSONObject> {
        let client = client
        return ActivitiesModel(service: service, support: support) { client.activities.map(\.items) }
    }
}
