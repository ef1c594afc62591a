// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import OpenIDProvider

/// Whose pages may read what (RFC 9700, section 2.6; Fetch standard, section 3.2).
@Suite struct CrossOriginTests {
    private static let app: HTTPFields = [.origin: "https://app.example"]
    private static let other: HTTPFields = [.origin: "https://other.example"]

    @Test(
        "R11.1 RFC 9700, section 2.6: everybody's pages read the metadata and the keys, none the authorization endpoint"
    )
    func everybody() async throws {
        let bench = try await ProviderBench()
        for path in [
            "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server", "/.well-known/jwks.json",
        ] {
            let reply = try await bench.get(path, headers: Self.other)
            #expect(reply[header: "access-control-allow-origin"] == "https://other.example", "\(path)")
        }
        let query = HTTPBench.encoded(bench.request())
        for path in ["/oauth2/authorize?" + query, "/oauth2/logout", "/oauth2/authorize/continue?request=x"] {
            let reply = try await bench.get(path, headers: Self.app)
            #expect(reply[header: "access-control-allow-origin"] == nil, "\(path)")
            var preflight = Self.app
            preflight[.accessControlRequestMethod] = "GET"
            let asked = try await bench.send(.options, path, headers: preflight)
            #expect(asked[header: "access-control-allow-origin"] == nil, "\(path)")
        }
    }

    @Test("R11.1 a page may call all that an app in a browser needs, with whatever headers it has, and nothing else")
    func preflights() async throws {
        let bench = try await ProviderBench()
        let closed = ["/oauth2/authorize", "/oauth2/authorize/continue", "/oauth2/logout", "/oauth2/introspect"]
        for route in OpenIDProvider.routes {
            for path in route.paths {
                let place = path.replacing("{directory}", with: "default").replacing("{client}", with: "x")
                var headers = Self.other
                headers[.accessControlRequestMethod] = route.method.rawValue
                headers[.accessControlRequestHeaders] = "authorization, dpop, x-amz-user-agent"
                let reply = try await bench.send(.options, place, headers: headers)
                guard !closed.contains(path) else {
                    #expect(reply[header: "access-control-allow-origin"] == nil, "\(path)")
                    continue
                }
                #expect(reply.status == 204, "\(path)")
                #expect(reply[header: "access-control-allow-origin"] == "https://other.example", "\(path)")
                #expect(
                    reply[header: "access-control-allow-headers"] == "authorization, dpop, x-amz-user-agent",
                    "\(path)")
                let methods = reply[header: "access-control-allow-methods"] ?? ""
                #expect(methods.contains(route.method.rawValue), "\(path)")
                #expect(reply[header: "access-control-allow-credentials"] == nil, "\(path)")
            }
        }
    }

    @Test("R11.1 an app in a browser pushes requests and begins for devices, and no other's page reads the answer")
    func pushed() async throws {
        let bench = try await ProviderBench { $0.authorization.grants.append(.deviceCode) }
        for (origin, isOwn) in [(Self.app, true), (Self.other, false)] {
            let pushed = try await bench.post("/oauth2/par", bench.request(bench.app), headers: origin)
            #expect(pushed.status == 201 && (pushed[header: "access-control-allow-origin"] != nil) == isOwn)
            let begun = try await bench.post(
                "/oauth2/device_authorization", [("client_id", bench.app.id.rawValue), ("scope", "openid")],
                headers: origin)
            #expect(begun.status == 200 && (begun[header: "access-control-allow-origin"] != nil) == isOwn)
            // Whoever registers has no place of its own yet, and shows a token.
            var headers = origin
            headers[.authorization] = "Bearer x"
            headers[.contentType] = "application/json"
            let refused = try await bench.raw(
                .post, "/oauth2/register", headers: headers, body: Array("{}".utf8))
            #expect(refused.status == 401 && refused[header: "access-control-allow-origin"] != nil)
        }
    }

    @Test("R11.1 RFC 9700, section 2.6: tokens are for the pages of the client that they are of, an error too")
    func clients() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        for (origin, isOwn) in [(Self.app, true), (Self.other, false), ([.origin: "null"], false)] {
            let code = try await bench.code(browser, bench.app)
            let tokens = try await bench.exchange(code, bench.app, headers: origin)
            #expect(tokens.status == 200)
            #expect((tokens[header: "access-control-allow-origin"] != nil) == isOwn)
            let refused = try await bench.exchange("x", bench.app, headers: origin)
            #expect((refused[header: "access-control-allow-origin"] != nil) == isOwn)
            #expect(refused[header: "access-control-allow-credentials"] == nil)
            var headers = origin
            headers[.authorization] = "Bearer " + (tokens["access_token"]?.stringValue ?? "")
            let info = try await bench.get("/oauth2/userInfo", headers: headers)
            #expect((info[header: "access-control-allow-origin"] != nil) == isOwn, "\(info.text)")
        }
        var preflight = Self.app
        preflight[.accessControlRequestMethod] = "POST"
        preflight[.accessControlRequestHeaders] = "authorization, x-app"
        let asked = try await bench.send(.options, "/oauth2/token", headers: preflight)
        #expect(asked.status == 204)
        #expect(asked[header: "access-control-allow-headers"] == "authorization, x-app")
    }
}
