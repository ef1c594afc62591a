// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LatchkeyClient

extension Settings {
    /// A free port is taken where the service takes any.
    private var redirect: String { redirectURI ?? "http://127.0.0.1/callback" }

    /// - Parameter store: for what a backend keeps beside the session.
    func backend(
        transport: any HTTPTransport, browser: any WebAuthentication, store: any SecureStore
    ) throws -> any IdentityBackend {
        switch provider {
        case .cognitoPassword:
            CognitoBackend(
                try pool(takesBackupCodes: api != nil), transport: transport, clock: SystemClock(), devices: store)
        case .cognitoHosted:
            CognitoHostedUIBackend(
                HostedUIConfiguration(
                    pool: try pool(), domain: try need(domain, "domain"), redirectURI: redirect, scopes: Self.scopes),
                browser: browser, transport: transport, clock: SystemClock())
        case .cognitoHybrid:
            HybridBackend(
                HybridConfiguration(
                    identityPool: IdentityPoolConfiguration(
                        region: try need(region, "region"),
                        identityPoolID: try need(identityPoolID, "identity-pool-id"), endpoint: endpoint),
                    userSyncURL: try need(userSyncURL, "user-sync-url")),
                native: try need(googleSignIn(transport, browser, store), "google-client-id"),
                session: try hybridSession(transport), transport: transport, store: store, clock: SystemClock())
        case .firebase:
            FirebaseBackend(
                FirebaseConfiguration(apiKey: try need(key, "key"), emulator: endpoint), transport: transport)
        case .supabase:
            SupabaseBackend(
                SupabaseConfiguration(
                    address: try need(endpoint, "endpoint"), publishableKey: try need(key, "key"),
                    redirectURI: redirect),
                transport: transport, web: browser)
        case .latchkey:
            OpenIDBackend(
                OpenIDClientConfiguration(
                    issuer: try need(issuer, "issuer"), clientID: try need(clientID, "client-id"),
                    redirectURI: redirect, appAPI: api),
                transport: transport, web: browser)
        }
    }

    /// Google's own sign-in in a browser, which stands in for its kit. `nil` where the app has no client there.
    func googleSignIn(
        _ transport: any HTTPTransport, _ browser: any WebAuthentication, _ store: any SecureStore
    ) -> BrowserIdentityProvider? {
        google.map {
            .google(
                clientID: $0.clientID, clientSecret: $0.clientSecret.map { Secret($0) },
                authorizationEndpoint: $0.authorizationEndpoint, tokenEndpoint: $0.tokenEndpoint,
                redirectURI: redirect, web: browser, transport: transport, store: store, clock: SystemClock())
        }
    }

    /// `nil`: the session is the identity pool's own word, which the app's API does not take.
    private func hybridSession(_ transport: any HTTPTransport) throws -> (any IdentityBackend)? {
        guard let sessionURL else { return nil }
        return SupabaseBackend(
            SupabaseConfiguration(address: sessionURL, publishableKey: try need(key, "key"), redirectURI: redirect),
            transport: transport)
    }

    /// The last is what the pool's own operations want of a token, such as the end of all sessions, and the app's API
    /// for what is the user's.
    private static let scopes = ["openid", "email", "profile", "aws.cognito.signin.user.admin"]

    /// - Parameter takesBackupCodes: of a server that has an API for apps: Amazon's knows no such codes.
    private func pool(takesBackupCodes: Bool = false) throws -> CognitoConfiguration {
        var pool = CognitoConfiguration(
            region: try need(region, "region"), userPoolID: try need(userPoolID, "user-pool-id"),
            clientID: try need(clientID, "client-id"), endpoint: endpoint, issuer: issuer)
        pool.takesBackupCodes = takesBackupCodes
        pool.deviceName = "Yoga in a terminal"
        return pool
    }

    private func need<Value>(_ value: Value?, _ flag: String) throws -> Value {
        guard let value else { throw ValidationError("\(provider.rawValue) needs --\(flag) (yoga configure)") }
        return value
    }
}
