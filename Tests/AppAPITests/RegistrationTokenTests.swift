// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Testing

@testable import AppAPI

@Suite("What lets programs register themselves, over HTTP")
struct RegistrationTokenTests {
    private static let path = "/v1/admin/registration-tokens"

    @Test("R11.9 a token is made, shown without its text, and revoked; what is wrong of it is named")
    func life() async throws {
        let (bench, token) = try await ClientAdminTests.bench()
        let made = try await bench.send(
            .post, Self.path, token: token,
            body: [
                "name": "CI", "grants": ["authorization_code", "device_code"], "scopes": ["openid", "notes/read"],
                "redirectHosts": ["tool.example", "com.example.tool:"], "uses": 5, "expiresIn": 3600,
            ])
        #expect(made.status == .created && made.json["usesLeft"] == 5)
        let text = try #require(made.json["token"]?.stringValue)
        #expect(text.hasPrefix("lk_register_") && text.utf8.count >= 50)
        let bare = try await bench.send(.post, Self.path, token: token, body: ["name": "any", "uses": .null])
        #expect(bare.json["usesLeft"] == .null && bare.json["expiresAt"] == .null && bare.json["redirectHosts"] == [])
        #expect(bare.json["grants"] == ["authorization_code", "refresh_token"])
        let list = try await bench.send(.get, Self.path, token: token).json
        // Of one moment: neither comes first.
        let listed = try #require(list["tokens"]?.arrayValue)
        #expect(listed.count == 2)
        for reply in [made, bare] { #expect(listed.contains(.object(reply.json.without("token")))) }
        #expect(!list.text.contains(text))
        let place = "\(Self.path)/\(made.json["id"]?.stringValue ?? "")"
        #expect(try await bench.send(.delete, place, token: token).status == .ok)
        #expect(try await bench.send(.delete, place, token: token).status == .notFound)
        let rows: [(String, JSONValue)] = [
            ("name", ""), ("name", 1), ("grants", []), ("grants", ["implicit"]), ("grants", "x"),
            ("scopes", ["two words"]),
            ("redirectHosts", ["https://tool.example"]), ("redirectHosts", ["Tool.example"]), ("redirectHosts", [""]),
            ("redirectHosts", "x"), ("uses", 0), ("uses", -1), ("uses", "1"), ("uses", 1_000_001), ("expiresIn", 0),
            ("expiresIn", -1), ("expiresIn", 9_000_000_000_000), ("consent", "not_asked"), ("", 1),
        ]
        let base: JSONObject = ["name": "x"]
        for (name, value) in rows {
            let reply = try await bench.send(
                .post, Self.path, token: token, body: base.merging([name: value]))
            #expect(reply.status == .badRequest && reply.json["field"] == .string(name), "\(name) \(value)")
        }
        #expect(try await bench.send(.get, Self.path, token: token).json["tokens"]?.arrayValue?.count == 2)
    }
}
