// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatchkeyClient
import Testing

/// The calls that docs/client puts beside those of the vendors' own libraries: each of them compiles here, as it is
/// written there.
@Suite("Moving from a vendor's library") struct MovingTests {
    /// What an app has at hand.
    private struct Hand: Sendable {
        let store: any SecureStore
        let email, id: String
        let password, old, code, token, hash, url: Secret<String>
        let attributes: [String: String]
        let identity: ProviderIdentity
        let proof: SignInProof
        let step: AwaitedStep
        let enrolment: FactorEnrolment
    }

    /// What is called alike, whichever vendor it is.
    private func everywhere(_ backend: any IdentityBackend, _ hand: Hand) async throws {
        let (email, password, old, code, token) = (hand.email, hand.password, hand.old, hand.code, hand.token)
        let (store, attributes) = (hand.store, hand.attributes)
        let service = SessionService(backend: backend, store: store)
        try await service.signUp(SignUpRequest(identifier: email, password: password, attributes: attributes))
        try await service.confirmSignUp(identifier: email, code: code)
        try await service.resendConfirmation(to: email)
        try await service.signIn(with: .password(identifier: email, password: password))
        try await service.answer(.code(code))
        _ = service.state
        _ = service.states()
        _ = try await service.accessToken()
        _ = try await service.accessToken(insteadOf: token)
        try await service.refreshUser()
        try await service.beginRecovery(identifier: email)
        try await service.finishRecovery(identifier: email, proof: code, newPassword: password)
        try await service.changePassword(current: old, new: password)
        try await service.deleteAccount()
        await service.signOut(SignOutOptions())
        await service.signOut(SignOutOptions(scope: .global))
    }

    private func providers(_ service: SessionService, _ hand: Hand) async throws {
        let (identity, email, code) = (hand.identity, hand.email, hand.code)
        try await service.signIn(with: .browser(provider: "google", options: BrowserSignInOptions()))
        try await service.signIn(with: .identityToken(identity))
        try await service.signIn(with: .code(identifier: email, code: code))
        try await service.signIn(with: .anonymous)
        try await service.link(.browser(provider: "google", options: BrowserSignInOptions()))
        try await service.link(.identityToken(identity))
        try await service.unlink(provider: "google")
    }

    private func factors(_ service: SessionService, _ hand: Hand) async throws {
        let (step, enrolment, code, id) = (hand.step, hand.enrolment, hand.code, hand.id)
        _ = try await service.beginStepUp()
        _ = try await service.raise(step, with: .code(code))
        _ = try await service.enrol(NewSecondFactor(.authenticator))
        _ = try await service.enrol(NewSecondFactor(.securityKey))
        try await service.confirm(enrolment, with: code)
        try await service.removeFactor(id)
        _ = try await service.secondFactors()
        _ = try await service.secondFactors().isRaised
        _ = try await service.makeBackupCodes()
        try await service.signIn(with: .passkey(identifier: nil))
        _ = try await service.passkeys()
        try await service.addPasskey()
        try await service.removePasskey(id)
    }

    private func amplify(_ service: SessionService, _ backend: CognitoBackend, _ hand: Hand) async throws {
        let (password, attributes, id) = (hand.password, hand.attributes, hand.id)
        try await service.answer(.newPassword(password, attributes: attributes))
        try await service.answer(.choice(id))
        try await service.withTokens { try await backend.forgetDevice($0) }
    }

    private func firebase(_ service: SessionService, _ backend: FirebaseBackend, _ hand: Hand) async throws {
        let (email, password, code, token, proof) = (hand.email, hand.password, hand.code, hand.token, hand.proof)
        try await service.signIn(with: .customToken(token))
        try await backend.sendSignInLink(to: email, continueURL: "https://app.example.com/in")
        try await service.answer(.proof(proof))
        try await service.finishRecovery(identifier: nil, proof: code, newPassword: password)
        try await service.withTokens { try await backend.sendVerification($0) }
        try await service.withTokens { try await backend.changeEmail($0, to: email) }
        try await service.reauthenticate(with: proof)
        try await service.withTokens { try await backend.changeProfile($0, name: "Ada") }
    }

    private func supabase(_ service: SessionService, _ backend: SupabaseBackend, _ hand: Hand) async throws {
        let (email, password, code, hash, url) = (hand.email, hand.password, hand.code, hand.hash, hand.url)
        try await service.signIn(with: .callback(url: url))
        _ = try await backend.sendCode(to: email, createsUser: false)
        try await service.signIn(with: .link(tokenHash: hash, kind: "signup"))
        try await service.withTokens { try await backend.changeAttributes($0, ["city": "Zürich"]) }
        try await service.withTokens { try await backend.changeIdentifier($0, to: email) }
        try await service.withTokens { try await backend.confirmIdentifier($0, email, code: code) }
        try await service.withTokens { try await backend.sendReauthenticationCode($0) }
        try await service.withTokens { try await backend.changePassword($0, nonce: code, new: password) }
    }

    @Test(
        "R13.8 R13.9 Beside each call of a vendor's library stands one that compiles",
        arguments: [
            ("cognito.md", "## Moving from Amplify"), ("firebase.md", "## Moving from FirebaseAuth"),
            ("supabase.md", "## Moving from supabase-swift"),
        ])
    func document(_ name: String, _ heading: String) throws {
        let here = URL(filePath: #filePath)
        let source = try String(contentsOf: here, encoding: .utf8)
        let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "docs/client/\(name)"), encoding: .utf8)
        let table = try #require(text.components(separatedBy: heading + "\n").dropFirst().first)
            .split(separator: "\n").drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }.dropFirst(2)
        #expect(table.count > 15)
        var calls = 0
        for row in table {
            let cells = row.split(separator: "|").map { $0.split(separator: "`", omittingEmptySubsequences: false) }
            let code = try #require(cells.count >= 2 ? cells[1] : nil).enumerated().compactMap {
                $0 % 2 == 1 ? $1 : nil
            }
            for call in code where ["service.", "backend.", "SessionService("].contains(where: call.hasPrefix) {
                calls += 1
                // A line of its own, and not the beginning of another one.
                #expect(source.contains(" " + call + "\n"), "\(call)")
            }
        }
        #expect(calls >= table.count - 4)
    }
}
