// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import Testing

/// Against a running server.
@Suite(.runningServer, .timeLimit(.minutes(5))) struct LiveTests {
    let server: RunningServer

    init() throws {
        server = try #require(RunningServer.current)
    }

    @Test("R13.9 A suite's server says how apps are set up, shows mail and gives providers' tokens")
    func development() async throws {
        #expect(try server.setting("firebase", "projectId") == "default")
        let tokens = try await server.identityToken(provider: "google", subject: "ada@example.com", nonce: "n")
        #expect(tokens.idToken != nil)
        let address = server.freshAddress()
        let answer = try await server.send(
            "POST", "/auth/v1/signup", json: ["email": .string(address), "password": "Correct-horse-7-battery"],
            headers: [.init("apikey", try server.setting("supabase", "anonKey"))])
        #expect(answer.status == 200)
        let mail = try await server.mail(to: address, kind: "confirmation")
        #expect(mail.code?.utf8.count == 6 && mail.tokenHash != nil)
    }
}
