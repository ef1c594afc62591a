// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatchkeyClient

/// The app put together: its session, and its API where there is one.
struct Studio {
    let settings: Settings
    let service: SessionService
    private let transport: any HTTPTransport
    /// Google's own sign-in, for a service that takes its token.
    let google: BrowserIdentityProvider?
    /// Synchronizations that wait, in a hybrid sign-in.
    let queue: UserSyncQueue?
    /// Of a user pool: what it alone has.
    let pool: CognitoBackend?

    /// - Parameters:
    ///   - opens: whether the browser is sent to a page, and not only the page's address printed.
    ///   - wrap: puts something around the backend.
    static func open(
        opens: Bool = false, output: Output,
        around wrap: (any IdentityBackend) -> any IdentityBackend = { $0 }
    ) async throws -> Studio {
        let home = Home()
        let settings = try home.settings()
        let transport: any HTTPTransport = AirplaneMode.isOn ? AirplaneMode() : SystemTransport()
        let browser = LoopbackRedirect(clock: SystemClock()) { address in
            output.note("Open this page: \(address)")
            if opens { Self.send(to: address) }
            return true
        }
        let store = home.store
        // What a user agrees to is said to the server of the app's own API, where it has one, and to nobody else.
        var agreeing = transport
        if let api = settings.api, let saying = try? AgreeingTransport(transport, to: api) { agreeing = saying }
        let backend = try settings.backend(transport: agreeing, browser: browser, store: store)
        let google = settings.googleSignIn(transport, browser, store)
        // The hybrid backend has its own.
        let kits = settings.provider == .cognitoHybrid ? [] : [google].compactMap(\.self)
        let service = SessionService(backend: wrap(backend), store: store, providers: kits)
        await service.restore()
        return Studio(
            settings: settings, service: service, transport: transport,
            google: google, queue: (backend as? HybridBackend)?.queue, pool: backend as? CognitoBackend)
    }

    /// - Throws: `unsupported` where the app was configured without an API of its own.
    func api(
        around wrap: (any HTTPTransport) -> any HTTPTransport = { $0 }
    ) throws(AuthError) -> AuthenticatedClient {
        guard let address = settings.api else { throw AuthError(.unsupported) }
        return try AuthenticatedClient(baseURL: address, service: service, transport: wrap(transport))
    }

    /// What the app's API says of the account as a whole.
    ///
    /// - Throws: `unsupported` where the app was configured without one.
    func account() throws(AuthError) -> AppAPIAccount {
        guard let address = settings.api else { throw AuthError(.unsupported) }
        return try AppAPIAccount(address: address, service: service, transport: transport)
    }

    /// What there is to agree to.
    ///
    /// - Throws: `unsupported` where the app was configured without an API.
    func terms() throws(AuthError) -> AppAPITerms {
        guard let address = settings.api else { throw AuthError(.unsupported) }
        return try AppAPITerms(address: address, transport: transport)
    }

    private static func send(to address: String) {
        let opener = Process()
        opener.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        #if canImport(Darwin)
            opener.arguments = ["open", address]
        #else
            opener.arguments = ["xdg-open", address]
        #endif
        // Where there is no such program the printed address is enough.
        try? opener.run()
    }
}
