// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import LatchkeyClient
import Testing

/// The services that one server speaks as, each with the app's backend for it.
enum Vendor: Sendable, Equatable, Codable {
    case supabase, firebase, cognito
    /// Cognito by its pages, in a browser.
    case cognitoPages
    /// The server itself, as an OpenID provider, and who signs in on its pages.
    case openID(clientID: String, identifier: String, password: String)

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
        case .openID(let clientID, let identifier, let password):
            return OpenIDBackend(
                OpenIDClientConfiguration(
                    issuer: try server.setting("openid", "issuer"), clientID: clientID,
                    redirectURI: Self.redirectURI), transport: transport,
                web: DevelopmentBrowser(identifier: identifier, password: Secret(password)), clock: clock)
        }
    }

    /// How a user signs in there.
    func proof(_ identifier: String, _ password: Secret<String>) -> SignInProof {
        switch self {
        case .openID: .browser(provider: nil, options: BrowserSignInOptions())
        case .cognitoPages: .browser(provider: "google", options: BrowserSignInOptions())
        case .supabase, .firebase, .cognito: .password(identifier: identifier, password: password)
        }
    }

    /// A client of the server's own provider, which its operator makes.
    static func openIDClient(at server: RunningServer) async throws -> String {
        let client = try await server.command(
            [
                "client", "create", "Yoga", "--public", "--first-party", "--redirect-uri", Vendor.redirectURI,
                "--scope", "openid email profile offline_access",
            ])
        return try #require(client["clientId"]?.stringValue)
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
