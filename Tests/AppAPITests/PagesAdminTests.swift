// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Testing

@testable import AppAPI

@Suite("How pages look, over HTTP")
struct PagesAdminTests {
    private static let path = "/v1/admin/pages"

    private static func bench() async throws -> (AppBench, String) {
        let bench = try await AppBench()
        return (bench, try await bench.signIn(try await bench.addUser("admin@example.com", in: ["admin"])))
    }

    @Test("R11.4 name, logo, colours, links and texts are set by the API, shown, and taken away again")
    func life() async throws {
        let (bench, token) = try await Self.bench()
        let before = try await bench.send(.get, Self.path, token: token)
        #expect(before.status == .ok && before.json["logo"] == .null && before.json["texts"] == [:])
        #expect(
            before.json.names.sorted() == [
                "accent", "accentDark", "background", "backgroundDark", "logo", "privacyUrl", "siteName", "supportUrl",
                "termsUrl", "texts",
            ])
        let wanted: JSONObject = [
            "siteName": "Acme", "accent": "#8a1c7c", "logo": "data:image/png;base64,iVBORw0KGgo=",
            "privacyUrl": "https://acme.example/{language}/privacy", "texts": ["signIn.title.en": "Welcome back"],
        ]
        let changed = try await bench.send(.patch, Self.path, token: token, body: wanted)
        #expect(changed.status == .ok, "\(changed.json.text)")
        for member in wanted.members { #expect(changed.json[member.name] == member.value, "\(member.name)") }
        #expect(try await bench.send(.get, Self.path, token: token).json == changed.json)
        let stored = try #require(try await bench.ports.store.read { try $0.directory(bench.directory.id) })
        #expect(stored.settings.pages.accent == "#8a1c7c" && stored.settings.mail.siteName == "Acme")
        let less = try await bench.send(.patch, Self.path, token: token, body: ["accent": .null, "texts": [:]])
        #expect(less.json["accent"] == .null && less.json["texts"] == [:] && less.json["siteName"] == "Acme")
    }

    @Test(
        "R11.5 R11.4 what can't be read, is no setting of pages or not of its kind is refused by its name; nothing changes"
    )
    func refused() async throws {
        let (bench, token) = try await Self.bench()
        let before = try await bench.send(.get, Self.path, token: token).json
        let rows: [(String, JSONValue)] = [
            ("accent", "#ffffff"), ("accent", "red"), ("accent", 1), ("accent", "#8a1c7c;}"),
            ("logo", "https://a.example/x.png"),
            ("logo", .string("data:image/png;base64," + String(repeating: "A", count: 20_000))),
            ("logo", "data:text/html,x"),
            ("privacyUrl", "javascript:alert(1)"), ("privacyUrl", ["x"]), ("texts", ["nope.title.en": "x"]),
            ("texts", ["signIn.title.en": 1]), ("texts", "x"), ("siteName", 1), ("siteName", .null),
            ("siteName", .string(String(repeating: "a", count: 300))), ("srp", true),
            ("directory.pages.accent", "#8a1c7c"),
            ("", 1),
        ]
        for (name, value) in rows {
            let answer = try await bench.send(
                .patch, Self.path, token: token, body: ["termsUrl": "https://a.example", name: value])
            #expect(answer.status == .badRequest && answer.json["error"] == "invalid_request", "\(name) \(value)")
            #expect(answer.json["field"]?.stringValue?.hasPrefix(name) == true, "\(name) \(answer.json.text)")
            #expect(try await bench.send(.get, Self.path, token: token).json == before, "\(name)")
        }
        #expect(try await bench.send(.get, Self.path, token: nil).status == .unauthorized)
        let user = try await bench.signIn(try await bench.addUser("user@example.com"))
        for method in [HTTPRequest.Method.get, .patch] {
            #expect(
                try await bench.send(method, Self.path, token: user, body: ["accent": "#8a1c7c"]).status == .forbidden)
        }
    }
}
