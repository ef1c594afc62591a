// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import LatchkeyClient
import Testing

/// The services that one server speaks as, each with the app's backend for it.
enum Vendor: Sendable, Equatable {
    case supabase, firebase, cognito
    /// Cognito by its pages, in a browser.
    case cognitoPages
    /// The server itself, as an OpenID provider.
    case openID(clientID: String)

    static let byPassword: [Vendor] = [.supabase, .firebase, .cognito]
    static let redirectURI = "http://127.0.0.1:3000/callback"

    func backend(
        _ server: RunningServer, transport: any HTTPTransport, clock: any ClientClock
    ) throws -> any IdentityBackend {
        switch self {
        case .supabase:
            return SupabaseBackend(
                SupabaseConfiguration(
                    address: try server.setting("supabase", "url") + "/auth/v1",
                    publishableKey: try server.setting("supabase", "anonKey"),
                    redirectURI: "http://localhost:3000/back"), transport: transport)
        case .firebase:
            return FirebaseBackend(
                FirebaseConfiguration(
                    apiKey: try server.setting("firebase", "apiKey"),
                    emulator: try server.setting("firebase", "emulatorHost")), transport: transport)
        case .cognito:
            return CognitoBackend(try Self.pool(server), transport: transport, clock: clock)
        case .cognitoPages:
            return CognitoHostedUIBackend(
                HostedUIConfiguration(
                    pool: try Self.pool(server), domain: server.url,
                    redirectURI: try server.setting("cognito", "callbackUrl"),
                    scopes: ["openid", "email", "profile", "aws.cognito.signin.user.admin"]),
                browser: DevelopmentBrowser(signedInAs: "ada@example.com"), transport: transport, clock: clock)
        case .openID(let clientID):
            let (address, password) = (try server.setting("demo", "email"), try server.setting("demo", "password"))
            return OpenIDBackend(
                OpenIDClientConfiguration(
                    issuer: try server.setting("openid", "issuer"), clientID: clientID,
                    redirectURI: Self.redirectURI), transport: transport,
                web: AccountPagesBrowser(identifier: address, password: Secret(password)), clock: clock)
        }
    }

    private static func pool(_ server: RunningServer) throws -> CognitoConfiguration {
        let pool = try server.setting("cognito", "userPoolId")
        return CognitoConfiguration(
            region: try server.setting("cognito", "region"), userPoolID: pool,
            clientID: try server.setting("cognito", "clientId"), endpoint: server.url + "/",
            issuer: "\(server.url)/\(pool)")
    }

    /// What an operator does about a user.
    enum Measure: Sendable, CaseIterable { case ban, delete }

    func operate(_ measure: Measure, on user: SessionUser, at server: RunningServer) async throws {
        let answer: HTTPResponse
        if self == .firebase {
            let project = try server.setting("firebase", "projectId")
            let place = "/identitytoolkit.googleapis.com/v1/projects/\(project)/accounts:"
            answer = try await server.send(
                "POST", place + (measure == .ban ? "update" : "delete"),
                json: measure == .ban
                    ? ["localId": .string(user.subject), "disableUser": true] : ["localId": .string(user.subject)],
                headers: [HTTPHeader("Authorization", "Bearer owner")])
        } else {
            let key = try server.setting("supabase", "serviceRoleKey")
            answer = try await server.send(
                measure == .ban ? "PUT" : "DELETE", "/auth/v1/admin/users/" + user.subject,
                json: measure == .ban ? ["ban_duration": "1h"] : nil,
                headers: [HTTPHeader("apikey", key), HTTPHeader("Authorization", "Bearer \(key)")])
        }
        try #require(answer.status == 200)
    }
}
