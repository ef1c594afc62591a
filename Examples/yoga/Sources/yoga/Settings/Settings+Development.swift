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
            settings.issuer = settings.userPoolID.map { "\(endpoint)/\($0)" }
        case .firebase:
            settings.endpoint = text("firebase", "emulatorHost")
            settings.key = text("firebase", "apiKey")
        case .supabase:
            settings.endpoint = text("supabase", "url").map { $0 + "/auth/v1" }
            settings.key = text("supabase", "anonKey")
        case .latchkey:
            // The app client that is there from the start is one of the user pool, which is an issuer of its own.
            settings.issuer = text("cognito", "userPoolId").map { "\(endpoint)/\($0)" }
            settings.clientID = text("cognito", "clientId")
        }
        return settings
    }
}
