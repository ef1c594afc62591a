// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import HummingbirdTokenAuth
import Testing
import TokenVerifier

@Suite("Policies")
struct PolicyTests {
    let bench: APIBench

    init() throws {
        bench = try APIBench()
        bench.router.add(
            middleware: TokenAuthMiddleware(
                try bench.verifier(), kinds: [.access], exempt: ["/exempt"], metrics: bench.metrics))
        bench.addRoutes([
            "/admin": .requireGroups("admin", "testing"), "/nobody": .requireGroups(anyOf: []),
            "/reports": .requireScopes("reports:read", "reports:list"), "/safe": .requireAAL(2),
            "/both": .all(.requireScopes("a"), .requireGroups("admin")),
            "/either": .any(.requireScopes("a"), .requireGroups("admin")),
            "/own": .custom { $0.subject == "user-1" }, "/exempt": .requireAAL(0),
        ])
    }

    private func status(_ path: String, _ claims: JSONObject = [:]) async throws -> HTTPResponse.Status {
        try await bench.get(path, .bearer(try bench.token(claims))).status
    }

    @Test("C-4 one of the groups is enough, and its name must be exact")
    func groups() async throws {
        #expect(try await status("/admin", ["groups": ["admin"]]) == .ok)
        #expect(try await status("/admin", ["groups": ["other", "testing"]]) == .ok)
        for groups: JSONValue in [[], ["Admin"], ["admins"], ["admin "], ["admin,testing"], "admin", ["x", 1]] {
            #expect(try await status("/admin", ["groups": groups]) == .forbidden)
        }
        #expect(try await status("/admin") == .forbidden)
        #expect(try await status("/nobody", ["groups": ["admin", ""]]) == .forbidden)
        #expect(bench.refusals == ["insufficient_groups": 9])
    }

    @Test("all of the scopes are needed; the challenge names them (RFC 6750, section 3)")
    func scopes() async throws {
        #expect(try await status("/reports", ["scope": "reports:list x reports:read"]) == .ok)
        let answer = try await bench.get("/reports", .bearer(try bench.token(["scope": "reports:read"])))
        #expect(answer.status == .forbidden)
        #expect(answer.error == "insufficient_scope")
        #expect(answer.challenge?.hasSuffix(", scope=\"reports:list reports:read\"") == true)
        #expect(try await status("/reports", ["scope": "reports:read,reports:list"]) == .forbidden)
    }

    @Test("a weaker sign-in is asked to step up (RFC 9470, section 3)")
    func assurance() async throws {
        #expect(try await status("/safe", ["aal": "aal2"]) == .ok)
        #expect(try await status("/safe", ["aal": "aal3"]) == .ok)
        for weaker: JSONObject in [[:], ["aal": "aal1"], ["aal": 2], ["aal": "AAL2"]] {
            let answer = try await bench.get("/safe", .bearer(try bench.token(weaker)))
            #expect(answer.status == .unauthorized)
            #expect(answer.error == "insufficient_user_authentication")
            #expect(answer.challenge?.contains("acr_values=\"aal2\"") == true)
        }
    }

    @Test("policies compose")
    func composition() async throws {
        let scope: JSONObject = ["scope": "a"]
        let group: JSONObject = ["groups": ["admin"]]
        #expect(try await status("/both", scope) == .forbidden)
        #expect(try await status("/both", group) == .forbidden)
        #expect(try await status("/both", scope.merging(group)) == .ok)
        #expect(try await status("/either", scope) == .ok)
        #expect(try await status("/either", group) == .ok)
        #expect(try await status("/either") == .forbidden)
        #expect(try await status("/own") == .ok)
        #expect(try await status("/own", ["sub": "user-2"]) == .forbidden)
    }

    @Test("a policy on an exempt path, or without the middleware, lets nobody in")
    func unproven() async throws {
        #expect(try await status("/exempt") == .unauthorized)
        let bare = try APIBench()
        bare.addRoutes(["/admin": .requireAAL(0)])
        #expect(try await bare.get("/admin", .bearer(try bare.token())).status == .unauthorized)
        #expect(try await bare.get("/me", .bearer(try bare.token())).status == .unauthorized)
    }
}
