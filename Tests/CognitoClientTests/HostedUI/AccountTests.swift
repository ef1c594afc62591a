// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import Testing

@testable import CognitoClient

/// What whoever came by the pages does with their account.
struct AccountTests {
    typealias Pages = CognitoHostedUIBackendTests

    private let browser = Pages.Browser { "myapp://callback?code=c1&state=\($0["state"] ?? "")" }
    private let proof = SignInProof.browser(provider: nil, options: BrowserSignInOptions())

    /// The pages, of which UserInfo tells of `subject`, and the pool's API.
    private func backend(_ subject: String) -> (CognitoHostedUIBackend, ScriptedTransport) {
        let pages = Pages().service(browser)
        let transport = ScriptedTransport { request, _ throws(TransportError) in
            if request.url.hasSuffix("/oauth2/userInfo") { return Recorded.answer(["sub": .string(subject)]) }
            if request.url.contains("cognito-idp") { return Recorded.answer([:]) }
            return try await pages.send(request)
        }
        return (Pages().backend(browser, transport), transport)
    }

    @Test("R13.3 Who deletes their account shows anew by the pages who they are, whatever the browser remembers")
    func deletes() async throws {
        let (backend, transport) = backend("5b1c")
        guard case .session(let grant) = try await backend.reauthenticate(Recorded.tokens(), with: proof) else {
            throw AuthError(.unsupported)
        }
        #expect(grant.user?.subject == "5b1c" && browser.last["prompt"] == "login")
        #expect(browser.asked.value.last?.ephemeral == true)
        try await backend.deleteAccount(grant.tokens)
        #expect(await transport.operations.last == "DeleteUser")
        await #expect(throws: AuthError(.unsupported)) {
            try await backend.reauthenticate(grant.tokens, with: .anonymous)
        }
    }

    @Test("R13.3 H-3 Behind a rollout the account is changed by the way that its session came")
    func switched() async throws {
        let (pages, transport) = backend("5b1c")
        let other = SwitchingBackendTests.Way("new")
        let switching = SwitchingBackend(
            old: pages, new: other, flag: RolloutFlag(name: "f", percentage: 100), for: "i", clock: ManualClock())
        guard case .session(let grant) = try await switching.signIn(proof) else { throw AuthError(.unsupported) }
        // The new way has no such thing.
        await #expect(throws: AuthError(.unsupported)) { try await switching.deleteAccount(grant.tokens) }
        try await switching.deleteAccount(Recorded.tokens())
        #expect(await transport.operations == ["DeleteUser"])
    }
}
