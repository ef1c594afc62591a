// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import OpenIDProvider

/// What a client that has registered itself may have again, once it has left it out or an operator has taken it
/// (RFC 7592, section 2.2).
@Suite struct RegistrationLeftTests {
    /// A client that has registered itself with `whole`.
    private struct Registered {
        static let whole: JSONObject = [
            "client_name": "Tool", "redirect_uris": ["https://tool.example/one", "https://tool.example/two"],
            "post_logout_redirect_uris": ["https://tool.example/out", "https://tool.example/bye"],
            "grant_types": ["authorization_code", "refresh_token"], "scope": "openid email",
        ]

        let scene: RegistrationTests.Scene
        let id: ClientID
        let token: String?

        /// - Parameter scopes: that the client may have at most, and are in what it registers itself with.
        init(_ scopes: [String] = ["openid", "email", "offline_access"]) async throws {
            scene = try await RegistrationTests.Scene(scopes: scopes)
            let made = try await scene.register(Self.whole)
            id = ClientID(try #require(made["client_id"]?.stringValue))
            token = made["registration_access_token"]?.stringValue
        }

        func put(_ changes: JSONObject = [:]) async throws -> HTTPBench.Reply {
            try await scene.send(
                .put, RegistrationTests.path + "/" + id.rawValue,
                Self.whole.merging(["client_id": .string(id.rawValue)]).merging(changes), token: token)
        }

        func operate(
            writing lists: Set<ClientAdministration.List> = [],
            _ change: @Sendable @escaping (inout ClientAuthorization) -> Void
        ) async throws {
            _ = try await scene.bench.accounts.flows.clientAdministration.update(
                id, writing: lists, call: scene.bench.accounts.call()
            ) { change(&$0.authorization) }
        }

        func write(_ registration: ClientRegistration) async throws {
            _ = try await scene.bench.accounts.flows.clientAdministration.update(
                id, registration, call: scene.bench.accounts.call())
        }
    }

    @Test("R11.9 RFC 7592, section 2.2: what a client has left out itself it may have again")
    func leftOut() async throws {
        let client = try await Registered()
        let less = try await client.put(["grant_types": ["authorization_code"], "scope": "openid"])
        #expect(less["scope"] == "openid" && less["grant_types"] == ["authorization_code"], "\(less.text)")
        // An operator who changes something else has taken nothing.
        try await client.operate { $0.requiresPKCE = true }
        let again = try await client.put()
        #expect(again["scope"] == "openid email", "\(again.text)")
        #expect(again["grant_types"] == ["authorization_code", "refresh_token"], "\(again.text)")
        // As far as the operator's token says.
        #expect(try await client.put(["scope": "openid email admin"])["scope"] == "openid email")
    }

    @Test("R11.9 what an operator took comes back neither at once nor after the client did without for a time")
    func taken() async throws {
        let client = try await Registered()
        try await client.operate { ($0.grants, $0.scopes) = ([.code], ["openid", "offline_access"]) }
        #expect(try await client.put(["scope": "openid"])["scope"] == "openid")
        let again = try await client.put(["scope": "openid email offline_access"])
        #expect(again["scope"] == "openid offline_access", "\(again.text)")
        #expect(again["grant_types"] == ["authorization_code"], "\(again.text)")
        // What an operator gives back is the client's again, and what they do not write is not.
        #expect(try await client.put(["scope": "openid"])["scope"] == "openid")
        try await client.operate { ($0.grants, $0.scopes) = ([.code, .refreshToken], ["openid", "email"]) }
        let given = try await client.put(["scope": "openid email offline_access"])
        #expect(given["scope"] == "openid email", "\(given.text)")
        #expect(given["grant_types"] == ["authorization_code", "refresh_token"], "\(given.text)")
    }

    @Test("R11.9 what a client left out just before an operator wrote the same list without it is taken all the same")
    func leftOutBefore() async throws {
        let places: JSONObject = [
            "redirect_uris": ["https://tool.example/one"], "post_logout_redirect_uris": ["https://tool.example/out"],
        ]
        let less = places.merging(["grant_types": ["authorization_code"], "scope": "openid"])
        var registration = ClientRegistration()
        registration.grants = [.code]
        registration.scopes = ["openid"]
        registration.redirectURIs = ["https://tool.example/one"]
        registration.postLogoutURIs = ["https://tool.example/out"]
        for byRegistration in [true, false] {
            let client = try await Registered()
            #expect(try await client.put(less)["scope"] == "openid")
            if byRegistration {
                try await client.write(registration)
            } else {
                // As dialects whose changes say everything.
                try await client.operate(writing: Set(ClientAdministration.List.allCases)) { _ in }
            }
            let again = try await client.put(places)
            #expect(again["scope"] == "openid", "\(again.text)")
            #expect(again["grant_types"] == ["authorization_code"], "\(again.text)")
            for (field, error) in [
                ("redirect_uris", "invalid_redirect_uri"), ("post_logout_redirect_uris", "invalid_client_metadata"),
            ] {
                let back = try await client.put(less.merging([field: Registered.whole[field] ?? .null]))
                #expect(back.outcome == "400 " + error, "\(back.text)")
            }
        }
    }

    @Test("R11.9 a list that an operator does not write is not bounded by the writing of another")
    func written() async throws {
        let client = try await Registered()
        #expect(try await client.put(["scope": "openid"])["scope"] == "openid")
        var registration = ClientRegistration()
        registration.redirectURIs = ["https://tool.example/one", "https://tool.example/two"]
        try await client.write(registration)
        let again = try await client.put(["scope": "openid email offline_access"])
        #expect(again["scope"] == "openid email offline_access", "\(again.text)")
    }

    @Test(
        "R11.6 R11.9 a scope that goes with its API is taken from a client that did without it for a time, and no other"
    )
    func goneWithItsServer() async throws {
        let client = try await Registered(["openid", "email", "api/read", "api/write"])
        let (base, servers) = (
            client.scene.bench.accounts, client.scene.bench.accounts.flows.resourceServerAdministration
        )
        let scopes = ["read", "write"].map { ResourceServer.Scope(name: $0, description: $0) }
        _ = try await servers.create(identifier: "api", name: "API", scopes: scopes, call: base.call())
        #expect(try await client.put(["scope": "openid api/read"])["scope"] == "openid api/read")
        #expect(try await client.put(["scope": "openid"])["scope"] == "openid")
        _ = try await servers.update("api", name: "API", scopes: [scopes[1]], call: base.call())
        let all: JSONObject = ["scope": "openid email api/read api/write"]
        #expect(try await client.put(all)["scope"] == "openid email api/write")
        // One of the same name is another scope.
        _ = try await servers.update("api", name: "API", scopes: scopes, call: base.call())
        #expect(try await client.put(all)["scope"] == "openid email api/write")
        try await servers.delete("api", call: base.call())
        #expect(try await client.put(all)["scope"] == "openid email")
    }

    @Test("R11.6 R11.9 a scope that goes with its API goes from the registration tokens that name it, and no other")
    func goneFromTokens() async throws {
        let scene = try await RegistrationTests.Scene(scopes: ["openid", "api/read", "api/write"])
        let (base, flows) = (scene.bench.accounts, scene.bench.accounts.flows)
        let servers = flows.resourceServerAdministration
        let scopes = ["read", "write"].map { ResourceServer.Scope(name: $0, description: $0) }
        _ = try await servers.create(identifier: "api", name: "API", scopes: scopes, call: base.call())
        let all: JSONObject = ["scope": "openid api/read api/write"]
        #expect(try await scene.register(with: all)["scope"] == "openid api/read api/write")
        _ = try await servers.update("api", name: "API", scopes: [scopes[1]], call: base.call())
        // One of the same name is another scope.
        _ = try await servers.update("api", name: "API", scopes: scopes, call: base.call())
        for asked in [all, [:]] { #expect(try await scene.register(with: asked)["scope"] == "openid api/write") }
        try await servers.delete("api", call: base.call())
        #expect(try await flows.initialAccessTokens.list(call: base.call()).map(\.scopes) == [["openid"]])
    }

    @Test("R11.9 what an operator gives a client beyond its registration token it keeps, and may leave out for a time")
    func beyondItsToken() async throws {
        let client = try await Registered()
        let device = JSONValue.string(DeviceFlowTests.grant)
        let (place, out) = ("https://other.example/back", "https://other.example/out")
        let more: JSONObject = [
            "redirect_uris": ["https://tool.example/one", .string(place)], "post_logout_redirect_uris": [.string(out)],
            "grant_types": ["authorization_code", "refresh_token", device], "scope": "openid email api/read",
        ]
        #expect(try await client.put(more).outcome == "400 invalid_redirect_uri")
        try await client.operate {
            $0.grants.append(.deviceCode)
            $0.scopes.append("api/read")
            $0.redirectURIs.append(place)
            $0.signOutURIs.append(out)
        }
        for asked in [more, [:], more] {
            let reply = try await client.put(asked)
            #expect(reply.status == 200, "\(reply.text)")
            for member in Registered.whole.merging(asked).members {
                #expect(reply[member.name] == member.value, "\(member.name) \(reply.text)")
            }
        }
        // No further than that.
        #expect(try await client.put(["scope": "openid api/read api/write"])["scope"] == "openid api/read")
        for uri: JSONValue in ["https://other.example/else", "https://tool.example/three"] {
            #expect(try await client.put(["redirect_uris": [uri]]).outcome == "400 invalid_redirect_uri")
            let out = try await client.put(["post_logout_redirect_uris": [uri]])
            #expect(out.outcome == "400 invalid_client_metadata", "\(out.text)")
        }
    }

    @Test("R11.9 no place that an operator took from a client comes back by the client's own word, nor another for it")
    func places() async throws {
        let client = try await Registered()
        #expect(try await client.put(["redirect_uris": ["https://tool.example/three"]]).status == 200)
        #expect(try await client.put().status == 200, "nobody has taken anything yet")
        try await client.operate {
            $0.redirectURIs = ["https://tool.example/one"]
            $0.signOutURIs = ["https://tool.example/out"]
        }
        let kept: JSONObject = [
            "redirect_uris": ["https://tool.example/one"], "post_logout_redirect_uris": ["https://tool.example/out"],
        ]
        #expect(try await client.put(kept).status == 200)
        for uri: JSONValue in ["https://tool.example/two", "https://tool.example/three", "https://tool.example/one/"] {
            let back = try await client.put(kept.merging(["redirect_uris": [uri]]))
            #expect(back.outcome == "400 invalid_redirect_uri", "\(uri) \(back.text)")
            let out = try await client.put(kept.merging(["post_logout_redirect_uris": [uri]]))
            #expect(out.outcome == "400 invalid_client_metadata", "\(uri) \(out.text)")
        }
        try await client.operate { $0.redirectURIs.append("https://tool.example/two") }
        let given = try await client.put(kept.merging(["redirect_uris": ["https://tool.example/two"]]))
        #expect(given["redirect_uris"] == ["https://tool.example/two"], "\(given.text)")
        #expect(try await client.put(kept).status == 200, "left out, and asked for again")
    }
}
