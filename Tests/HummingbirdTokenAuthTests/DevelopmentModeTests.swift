// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import HummingbirdTokenAuth
import Testing
import TokenVerifier

@Suite("Development mode")
struct DevelopmentModeTests {
    private static let users = [
        DevelopmentUser("alice", groups: ["admin"], scopes: ["read"], assuranceLevel: 2), DevelopmentUser("bob"),
    ]

    private func bench(isOn: Bool) throws -> APIBench {
        let bench = try APIBench()
        bench.router.add(
            middleware: TokenAuthMiddleware(
                try bench.verifier(), kinds: [.access],
                apiKeys: APIKeyAuthentication(FixedAPIKeys([]), clock: APIBench.clock), exempt: ["/health"],
                development: try DevelopmentMode(isOn: isOn, users: Self.users, environment: [:]),
                metrics: bench.metrics))
        bench.addRoutes(["/admin": .requireGroups("admin")])
        return bench
    }

    @Test(
        "C-7 refuses to start where the environment says production",
        arguments: DevelopmentMode.variables, ["production", "Production", "PROD", " prod ", "live"])
    func production(variable: String, value: String) throws {
        let failure = #expect(throws: DevelopmentMode.Failure.self) {
            _ = try DevelopmentMode(isOn: true, users: Self.users, environment: Environment(values: [variable: value]))
        }
        #expect(failure?.description.contains(variable) == true)
        let off = try DevelopmentMode(
            isOn: false, users: Self.users, environment: Environment(values: [variable: value]))
        #expect(off == nil)
    }

    @Test("C-7 starts elsewhere", arguments: [[:], ["ENVIRONMENT": "development"], ["APP_ENV": ""]])
    func elsewhere(environment: [String: String]) throws {
        #expect(
            try DevelopmentMode(isOn: true, users: Self.users, environment: Environment(values: environment)) != nil)
    }

    @Test("R82 without the flag there is no development mode, whatever the environment or the request says")
    func off() async throws {
        let bench = try bench(isOn: false)
        #expect(try await bench.get("/me").status == .unauthorized)
        #expect(try await bench.get("/me", .bearer("alice")).status == .unauthorized)
        #expect(bench.log.warnings.isEmpty)
    }

    @Test("C-7 requests are those of fixed users, and each is logged with a warning")
    func users() async throws {
        let bench = try bench(isOn: true)
        #expect(try await bench.get("/me").text == "alice aal2")
        #expect(try await bench.get("/me", .bearer("bob")).text == "bob aal1")
        #expect(try await bench.get("/admin").status == .ok)
        #expect(try await bench.get("/admin", .bearer("bob")).status == .forbidden)
        #expect(try await bench.get("/health").status == .ok)
        #expect(bench.log.warnings.filter { $0.contains("DEVELOPMENT MODE") }.count == 5)
    }

    @Test("a token that is no user's name is verified as always, and a bad key stays bad")
    func others() async throws {
        let bench = try bench(isOn: true)
        #expect(try await bench.get("/me", .bearer("mallory")).status == .unauthorized)
        #expect(try await bench.get("/me", .bearer(try bench.token())).text == "user-1 aal0")
        #expect(try await bench.get("/me", [.authorization: "Basic YWxpY2U6"]).status == .unauthorized)
        #expect(try await bench.get("/me", .key("bad")).status == .unauthorized)
    }
}
