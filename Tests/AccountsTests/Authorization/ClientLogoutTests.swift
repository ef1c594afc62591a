// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

@testable import Accounts

@Suite struct ClientLogoutTests {
    /// Somebody signed in to a client that wants to know of it, to one that does not, and to the first to keep.
    private struct Scene {
        let bench: AuthorizationBench
        let user: User
        let parent: BrowserSession
        let online: IssuedSession
        let offline: IssuedSession
        let quiet: Client

        init() async throws {
            bench = try await AuthorizationBench { _ in
            } _: {
                $0.settings.authorization.consent = .notAsked
                $0.settings.authorization.backchannelLogoutURI = "https://app.example/logged-out"
            }
            quiet = try await AuthorizationBench.add("quiet", to: bench.base) {
                $0.settings.authorization.consent = .notAsked
            }
            user = try await bench.user("ada@example.com")
            parent = try await bench.browserSession(user)
            online = try await bench.exchange(try await bench.code(nil, parent.cookie))
            offline = try await bench.exchange(
                try await bench.code(bench.request(scopes: ["openid", "offline_access"]), parent.cookie))
            _ = try await bench.exchange(try await bench.code(nil, parent.cookie, client: quiet), client: quiet)
        }

        func told() async throws -> [ClientLogout] {
            try await bench.base.messages(to: bench.client.id.rawValue).compactMap {
                if case .clientLogout(let logout) = $0.content { logout } else { nil }
            }
        }

        var authenticated: AuthenticatedUser {
            AuthenticatedUser(user: user, identities: [], session: parent.session)
        }
    }

    @Test("R11.2 BL 2.5 however a browser's session ends, each client that asked is told, once, by sid and sub")
    func told() async throws {
        typealias End = @Sendable (Scene) async throws -> Void
        let ends: [(String, End)] = [
            (
                "signing out of the browser",
                { _ = try await $0.bench.flows.browserSessions.end($0.parent.cookie, call: $0.bench.call()) }
            ),
            (
                "another user in the browser",
                { scene in
                    let bob = try await scene.bench.user("bob@example.com")
                    _ = try await scene.bench.browserSession(bob, over: scene.parent.cookie)
                }
            ),
            (
                "its user's list",
                {
                    try await SessionList($0.bench.ports).revoke(
                        $0.parent.session.id, of: $0.authenticated, call: $0.bench.call())
                }
            ),
            (
                "signing out locally",
                {
                    try await $0.bench.flows.signOut($0.authenticated, scope: .local, call: $0.bench.call())
                }
            ),
            (
                "signing out everywhere",
                {
                    try await $0.bench.flows.signOut($0.authenticated, scope: .global, call: $0.bench.call())
                }
            ),
            (
                "an administrator",
                {
                    _ = try await $0.bench.flows.sessionAdministration.endAll(
                        of: $0.user.id, call: $0.bench.base.call())
                }
            ),
            (
                "a ban",
                {
                    var attributes = UserAttributes()
                    attributes.ban = .indefinitely
                    _ = try await $0.bench.flows.userAdministration.update(
                        $0.user.id, attributes, call: $0.bench.base.call())
                }
            ),
            (
                "a new password",
                {
                    var attributes = UserAttributes()
                    attributes.password = Secret(AccountBench.password)
                    _ = try await $0.bench.flows.userAdministration.update(
                        $0.user.id, attributes, call: $0.bench.base.call())
                }
            ),
            (
                "deletion",
                {
                    try await $0.bench.flows.deleteAccount(
                        $0.authenticated, asksForProof: false, call: $0.bench.call())
                }
            ),
            (
                "deletion for good",
                {
                    try await $0.bench.flows.userAdministration.delete(
                        $0.user.id, soft: false, call: $0.bench.base.call())
                }
            ),
        ]
        for (name, end) in ends {
            let scene = try await Scene()
            try await end(scene)
            let wanted = ClientLogout(
                client: scene.bench.client.id, user: scene.user.id, session: scene.parent.session.id)
            #expect(try await scene.told() == [wanted], "\(name)")
            #expect(try await scene.bench.base.messages(to: "quiet").isEmpty, "\(name)")
        }
    }

    @Test("R11.2 nobody is told where the browser's session goes on: a refresh, a client's own end, another sign-out")
    func notTold() async throws {
        let scene = try await Scene()
        let bench = scene.bench
        let elsewhere = try await bench.browserSession(scene.user)
        _ = try await bench.flows.browserSessions.end(elsewhere.cookie, call: bench.call())
        _ = try await bench.browserSession(scene.user, over: scene.parent.cookie)
        let refreshed = try await bench.refresh(scene.online)
        try await bench.flows.endSession(refreshed.refreshToken.reveal(), call: bench.call())
        try await bench.flows.signOut(scene.authenticated, scope: .others, call: bench.call())
        #expect(try await scene.told().isEmpty)
        _ = try await bench.refresh(scene.offline)
    }
}
