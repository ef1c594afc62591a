// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LatchkeyClient

extension Settings {
    /// A free port is taken where the service takes any.
    private var redirect: String { redirectURI ?? "http://127.0.0.1/callback" }

    func backend(transport: any HTTPTransport, browser: any WebAuthentication) throws -> any IdentityBackend {
        switch provider {
        case .cognitoPassword: CognitoBackend(try pool(), transport: transport, clock: SystemClock())
        case .cognitoHosted:
            CognitoHostedUIBackend(
                HostedUIConfiguration(pool: try pool(), domain: try need(domain, "domain"), redirectURI: redirect),
                browser: browser, transport: transport, clock: SystemClock())
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
                    redirectURI: redirect),
                transport: transport, web: browser)
        }
    }

    private func pool() throws -> CognitoConfiguration {
        CognitoConfiguration(
            region: try need(region, "region"), userPoolID: try need(userPoolID, "user-pool-id"),
            clientID: try need(clientID, "client-id"), endpoint: endpoint, issuer: issuer)
    }

    private func need(_ value: String?, _ flag: String) throws -> String {
        guard let value else { throw ValidationError("\(provider.rawValue) needs --\(flag) (yoga configure)") }
        return value
    }
}
