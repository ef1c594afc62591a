// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient

extension Settings {
    /// What a development server says of itself at `/dev/settings.json`. `nil` from every other service.
    static func development(
        _ provider: Provider, at endpoint: String, by transport: any HTTPTransport
    ) async throws(AuthError) -> Settings? {
        let request = HTTPRequest(
            "GET", endpoint + "/dev/settings.json", headers: [HTTPHeader("Accept", "application/json")])
        let answer: HTTPResponse
        do throws(TransportError) { answer = try await transport.send(request) } catch {
            throw AuthError(error == .insecure ? .insecureTransport : .network)
        }
        guard answer.status == 200, let all = try? JSONObject(parsing: answer.body) else { return nil }
        func text(_ section: String, _ name: String) -> String? { all[section]?.objectValue?[name]?.stringValue }
        var settings = Settings(provider: provider, endpoint: endpoint, api: text("app", "url"))
        switch provider {
        case .cognitoPassword, .cognitoHosted:
            settings.endpoint = text("cognito", "endpoint")
            settings.region = text("cognito", "region")
            settings.userPoolID = text("cognito", "userPoolId")
            settings.clientID = text("cognito", "clientId")
            settings.domain = text("cognito", "hostedUi")
            settings.issuer = settings.userPoolID.map { "\(settings.endpoint ?? endpoint)/\($0)" }
        case .cognitoHybrid:
            settings.endpoint = text("cognito", "endpoint")
            settings.region = text("cognito", "region")
            settings.identityPoolID = text("cognito", "identityPoolId")
            settings.userSyncURL = text("app", "url").map { $0 + "/v1/user-sync" }
            // The identity pool's word is no token of the app's API.
            settings.sessionURL = text("supabase", "url").map { $0 + "/auth/v1" }
            settings.key = text("supabase", "anonKey")
            settings.google = playedGoogle(text)
        case .firebase:
            settings.endpoint = text("firebase", "emulatorHost")
            settings.key = text("firebase", "apiKey")
            settings.google = playedGoogle(text)
        case .supabase:
            settings.endpoint = text("supabase", "url").map { $0 + "/auth/v1" }
            settings.key = text("supabase", "anonKey")
        case .latchkey:
            settings.issuer = text("openid", "issuer")
            settings.clientID = text("openid", "clientId")
        }
        return settings
    }

    /// The Google that the server plays, where it plays one.
    private static func playedGoogle(_ text: (String, String) -> String?) -> Google? {
        text("identityProviders", "googleClientId").map {
            Google(
                clientID: $0, clientSecret: text("identityProviders", "googleClientSecret"),
                authorizationEndpoint: text("identityProviders", "googleAuthorize"),
                tokenEndpoint: text("identityProviders", "googleToken"))
        }
    }
}
