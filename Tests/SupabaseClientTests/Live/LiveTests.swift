// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import SupabaseClient
import Testing

/// A project that lets its users link providers, and leads back to the app.
private let linkingProject = [
    "LATCHKEY_DIRECTORY_FEDERATION_MANUAL_LINKING": "true", "LATCHKEY_DIRECTORY_SITE_URL": "http://localhost:3000",
]

/// Against a running server, over a socket. One after the other: a busy machine's server turns sign-ins away.
@Suite(.runningServer(linkingProject), .serialized, .timeLimit(.minutes(5))) struct LiveTests {
    let server: RunningServer
    let password = Secret("Correct-horse-7-battery")

    init() throws {
        server = try #require(RunningServer.current)
    }

    func backend(person: String = "ada@example.com") throws -> SupabaseBackend {
        SupabaseBackend(
            SupabaseConfiguration(
                address: try server.setting("supabase", "url") + "/auth/v1",
                publishableKey: try server.setting("supabase", "anonKey"),
                redirectURI: "http://localhost:3000/back"),
            transport: SystemTransport(), web: DevelopmentBrowser(signedInAs: person))
    }

    /// A confirmed user, signed in.
    func member(_ address: String) async throws -> SessionGrant {
        let backend = try backend()
        _ = try await backend.signUp(SignUpRequest(identifier: address, password: password))
        let mail = try await server.mail(to: address, kind: "confirmation")
        let step = try await backend.confirmSignUp(identifier: address, code: Secret(try #require(mail.code)))
        return try #require(step).session
    }

    /// What an operator does with the service's key.
    @discardableResult
    func operate(_ method: String, _ path: String, _ body: JSONObject? = nil) async throws -> HTTPResponse {
        let key = try server.setting("supabase", "serviceRoleKey")
        let answer = try await server.send(
            method, "/auth/v1/admin/users" + path, json: body,
            headers: [.init("apikey", key), .init("Authorization", "Bearer \(key)")])
        #expect(answer.status == 200)
        return answer
    }
}

extension SignInStep {
    /// The session that a step is.
    var session: SessionGrant {
        get throws {
            guard case .session(let grant) = self else { throw AuthError(.invalidRequest, reason: "no session") }
            return grant
        }
    }

    var awaited: AwaitedStep {
        get throws {
            guard case .awaiting(let step) = self else { throw AuthError(.invalidRequest, reason: "a session") }
            return step
        }
    }
}
