// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LatchkeyClient

struct Configure: YogaCommand {
    static let configuration = CommandConfiguration(
        abstract: "Choose the service. A development server says all but its address by itself.")

    @Option(help: ArgumentHelp(Provider.allCases.map(\.rawValue).joined(separator: ", ") + ".", valueName: "name"))
    var provider: Provider
    @Option(help: "The service's address.")
    var endpoint: String?
    @Option(help: "The project's publishable key, or its web API key.")
    var key: String?
    @Option(help: "The user pool's region.")
    var region: String?
    @Option(help: "The user pool.")
    var userPoolId: String?
    @Option(help: "The app client.")
    var clientId: String?
    @Option(help: "The domain of the pool's pages.")
    var domain: String?
    @Option(help: "The OpenID provider.")
    var issuer: String?
    @Option(help: "The identity pool, for cognito-hybrid.")
    var identityPoolId: String?
    @Option(help: "Who keeps the user pool's user up to date, for cognito-hybrid.")
    var userSyncUrl: String?
    @Option(
        help: "An Auth API that takes Google's token and gives a session for --api, for cognito-hybrid; with --key.")
    var sessionUrl: String?
    @Option(help: "The app at Google: a client of the type Desktop app.")
    var googleClientId: String?
    @Option(help: "What Google calls that client's secret.")
    var googleClientSecret: String?
    @Option(help: "Where a browser comes back to: http://127.0.0.1/callback, with a port where the service wants one.")
    var redirectUri: String?
    @Option(help: "The address of the app's own API, which /v1/me is asked of.")
    var api: String?
    @OptionGroup var output: Output

    func act() async throws {
        var settings = Settings(provider: provider, endpoint: endpoint)
        if let endpoint {
            let base = endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint
            // Only a server on this device is one in development.
            if base.hasPrefix("http://"), ServiceOrigin(of: base)?.isSecure == true {
                let found = try await Settings.development(provider, at: base, by: SystemTransport())
                settings = found ?? settings
            }
        }
        settings.key = key ?? settings.key
        settings.region = region ?? settings.region
        settings.userPoolID = userPoolId ?? settings.userPoolID
        settings.clientID = clientId ?? settings.clientID
        settings.domain = domain ?? settings.domain
        settings.issuer = issuer ?? settings.issuer
        settings.identityPoolID = identityPoolId ?? settings.identityPoolID
        settings.userSyncURL = userSyncUrl ?? settings.userSyncURL
        settings.sessionURL = sessionUrl ?? settings.sessionURL
        if let googleClientId {
            settings.google = Settings.Google(clientID: googleClientId, clientSecret: googleClientSecret)
        }
        settings.redirectURI = redirectUri ?? settings.redirectURI
        settings.api = api ?? settings.api
        let browser = LoopbackRedirect(clock: SystemClock()) { _ in false }
        _ = try settings.backend(transport: SystemTransport(), browser: browser, store: MemoryStore())
        let home = Home()
        try home.keep(settings)
        output.show(
            "Signs in by \(provider.rawValue). Kept in \(home.directory).",
            ["provider": .string(provider.rawValue), "home": .string(home.directory)])
    }
}
