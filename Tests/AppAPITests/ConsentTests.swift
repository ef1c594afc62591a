// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Testing

@testable import AppAPI

@Suite("G-11 Terms and consents over HTTP") struct ConsentTests {
    private static let terms: JSONObject = [
        "name": "terms", "version": "1", "demanded": true,
        "texts": [
            "en": ["title": "Terms", "url": "https://app.example/terms"],
            "de": ["title": "Bedingungen", "url": "https://app.example/agb"],
        ],
    ]

    @Test("R14.8 a decision of the app's form is taken, answered in that form, and kept as history")
    func consents() async throws {
        let bench = try await AppBench()
        let token = try await bench.signIn(try await bench.addUser("ada@example.com"))
        let path = "/v1/account/consents"
        let before = try await bench.send(.get, path, token: token)
        #expect(before.status == .ok)
        #expect(
            before.json["consents"] == [
                "version": 1, "analytics": false, "crashReporting": false, "telemetry": false,
                "personalizedData": false,
            ])
        // As `PrivacyConsent` of the app's library is kept.
        let changed = try await bench.send(
            .patch, path, token: token,
            body: [
                "version": 1, "analytics": true, "crashReporting": true, "telemetry": false,
                "personalizedData": false,
            ])
        #expect(changed.status == .ok)
        #expect(changed.json["consents"]?.objectValue?["analytics"] == true)
        let purpose = changed.json["purposes"]?.arrayValue?.first?.objectValue
        #expect(purpose?["title"] == "Tell the makers of this app how it is used" && purpose?["answered"] == true)
        _ = try await bench.send(.patch, path, token: token, body: ["analytics": false])
        let history = try await bench.send(.get, path + "/history?limit=3", token: token)
        #expect(history.json["history"]?.arrayValue?.count == 3)
        let cursor = try #require(history.json["nextCursor"]?.stringValue)
        let rest = try await bench.send(.get, path + "/history?limit=3&cursor=" + cursor, token: token)
        #expect(rest.json["history"]?.arrayValue?.count == 2 && rest.json["nextCursor"] == .null)
        for bad: JSONObject in [
            ["nothing": true], ["analytics": 1], ["analytics": ["given": true, "text": "x"]], ["version": 2],
            ["analytics": ["given": true, "version": "9"]],
        ] {
            let refused = try await bench.send(.patch, path, token: token, body: bad)
            #expect(refused.status == .badRequest && refused.json["field"] == "consents", "\(bad)")
        }
        let required = OpenAPIDocument.termsSchemas["Consent"]?.objectValue?["required"]?.arrayValue
        #expect(required?.compactMap(\.stringValue) == purpose?.names)
    }

    @Test("G-11 an operator publishes, anybody reads, and what somebody agreed to is shown to the operator")
    func terms() async throws {
        let bench = try await AppBench()
        let admin = try await bench.signIn(try await bench.addUser("admin@example.com", in: ["admin"]))
        let ada = try await bench.addUser("ada@example.com")
        let made = try await bench.send(.post, "/v1/admin/terms", token: admin, body: Self.terms)
        #expect(made.status == .created)
        let again = try await bench.send(.post, "/v1/admin/terms", token: admin, body: ["terms": [.object(Self.terms)]])
        #expect(again.status == .ok && again.json["terms"] == [])
        let shown = try await bench.send(.get, "/v1/terms", token: nil)
        let first = shown.json["terms"]?.arrayValue?.first?.objectValue
        #expect(first?["name"] == "terms" && first?["demanded"] == true && first?["kind"] == "document")
        let required = OpenAPIDocument.termsSchemas["Terms"]?.objectValue?["required"]?.arrayValue
        #expect(Set(required?.compactMap(\.stringValue) ?? []) == Set(first?.names ?? []))

        let token = try await bench.signIn(ada)
        let agreed = try await bench.send(
            .patch, "/v1/account/consents", token: token, body: ["terms": ["given": true, "version": "1"]])
        #expect(agreed.json["documents"]?.arrayValue?.first?.objectValue?["given"] == true)
        let log = try await bench.send(.get, "/v1/admin/users/\(ada.id.rawValue)/consents", token: admin)
        let entry = log.json["history"]?.arrayValue?.first?.objectValue
        #expect(entry?["version"] == "1" && entry?["given"] == true && entry?["occasion"] == "account")

        let path = "/v1/admin/terms/terms/1"
        let released = try await bench.send(.patch, path, token: admin, body: ["demanded": false])
        #expect(released.json["demanded"] == false)
        #expect(try await bench.send(.delete, path, token: admin).status == .conflict)
        #expect(try await bench.send(.delete, "/v1/admin/terms/terms/9", token: admin).status == .notFound)
        var later = Self.terms
        later["version"] = "2"
        later["effectiveAt"] = .string((AppBench.now + .days(1)).rfc3339)
        _ = try await bench.send(.post, "/v1/admin/terms", token: admin, body: later)
        let upcoming = try await bench.send(.get, "/v1/terms", token: nil).json["upcoming"]?.arrayValue
        #expect(upcoming?.first?.objectValue?["version"] == "2")
        #expect(try await bench.send(.delete, "/v1/admin/terms/terms/2", token: admin).status == .ok)
        for bad: JSONObject in [["terms": 1], ["terms": [], "x": 1], ["name": "terms"], [:]] {
            #expect(
                try await bench.send(.post, "/v1/admin/terms", token: admin, body: bad).status == .badRequest, "\(bad)")
        }
    }

    @Test("G-11 the description has every path of terms and consents, and nothing else")
    func described() {
        let described = OpenAPIDocument.termsPaths.members.flatMap { path in
            (path.value.objectValue?.names ?? []).map { "\($0.uppercased()) \(path.name)" }
        }
        let routes = Route.all.filter { $0.path.contains("/consents") || $0.path.contains("/terms") }
            .filter { $0.access != .administrator }.map { "\($0.method.rawValue) \($0.path)" }
        #expect(Set(described) == Set(routes + ["GET /v1/terms"]))
    }
}
