// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Testing

@testable import AppAPI

@Suite("An operator's own words for messages, over HTTP")
struct MessageTemplateTests {
    private static let path = "/v1/admin/message-templates"

    private static func bench() async throws -> (AppBench, String) {
        let bench = try await AppBench()
        return (bench, try await bench.signIn(try await bench.addUser("admin@example.com", in: ["admin"])))
    }

    @Test("R14.70 words are set by kind and language, shown, listed, replaced and taken away again")
    func life() async throws {
        let (bench, token) = try await Self.bench()
        #expect(try await bench.send(.get, Self.path, token: token).json == ["templates": []])
        #expect(try await bench.send(.get, Self.path + "/recovery.de", token: token).status == .notFound)
        #expect(try await bench.send(.delete, Self.path + "/recovery.de", token: token).status == .notFound)
        let words: JSONObject = ["subject": "Neu", "html": "<a href=\"{{ .ConfirmationURL }}\">Weiter</a>"]
        let put = try await bench.send(.put, Self.path + "/recovery.de", token: token, body: words)
        #expect(put.status == .ok && put.json == words.merging(["name": "recovery.de"]), "\(put.json.text)")
        #expect(try await bench.send(.get, Self.path + "/recovery.de", token: token).json == put.json)
        #expect(try await bench.send(.get, Self.path, token: token).json["templates"]?.arrayValue?.count == 1)
        let less = try await bench.send(
            .put, Self.path + "/recovery.de", token: token, body: ["subject": "Neuer", "html": .null])
        #expect(less.json == ["name": "recovery.de", "subject": "Neuer"])
        let link = try await bench.send(
            .put, Self.path + "/recovery", token: token, body: ["appLink": "myapp://reset-password"])
        #expect(link.status == .ok)
        #expect(try await bench.send(.delete, Self.path + "/recovery.de", token: token).status == .ok)
        let stored = try #require(try await bench.ports.store.read { try $0.directory(bench.directory.id) })
        #expect(stored.settings.mail.subjects.isEmpty && stored.settings.mail.bodies.isEmpty)
        #expect(stored.settings.mail.appLinks == ["recovery": "myapp://reset-password"])
    }

    @Test("R11.5 R14.70 what can't be used is refused by the name of its part, and nothing changes")
    func refused() async throws {
        let (bench, token) = try await Self.bench()
        let rows: [(String, JSONObject, String?)] = [
            ("recovery", ["html": "<p>no link</p>"], "html"), ("recovery", ["subject": "{{ .Nothing }}"], "subject"),
            ("recovery", ["html": "{{ .Data.x }}<p title=\"{{ .Data.x }}\">{{link}}"], "html"),
            ("sms", ["text": "no code"], "text"), ("recovery", ["appLink": "http://app.example"], "appLink"),
            ("recovery", ["subject": 1], "subject"), ("recovery", ["body": "x"], "body"), ("recovery", [:], nil),
            ("newsletter", ["subject": "x"], "subject"),
        ]
        for (kind, body, field) in rows {
            let answer = try await bench.send(.put, Self.path + "/" + kind, token: token, body: body)
            #expect(answer.status == .badRequest && answer.json["field"]?.stringValue == field, "\(answer.json.text)")
            #expect(try await bench.send(.get, Self.path, token: token).json == ["templates": []])
        }
        let user = try await bench.signIn(try await bench.addUser("user@example.com"))
        #expect(try await bench.send(.get, Self.path, token: nil).status == .unauthorized)
        #expect(
            try await bench.send(.put, Self.path + "/recovery", token: user, body: ["subject": "x"]).status
                == .forbidden)
    }
}
