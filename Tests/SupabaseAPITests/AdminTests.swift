// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

@Suite("Administration") struct AdminTests {
    @Test("D-7 a user is made with what the operator says, read, changed and deleted")
    func life() async throws {
        let bench = try await SupabaseBench()
        let made = try await bench.administer(
            .post, "/admin/users",
            [
                "id": "3f0e8a52-6f0c-4f0e-9a37-4a2f6a0c1b11", "email": "ada@example.com", "email_confirm": true,
                "password": .string(SupabaseBench.password), "user_metadata": ["name": "Ada"],
                "app_metadata": ["plan": "gold"], "role": "editor",
            ])
        #expect(made.status == 200)
        #expect(made["id"] == "3f0e8a52-6f0c-4f0e-9a37-4a2f6a0c1b11" && made["role"] == "editor")
        #expect(made["app_metadata"]?.objectValue?["plan"] == "gold" && made["email_confirmed_at"] != nil)
        let path = "/admin/users/3F0E8A52-6f0c-4f0e-9a37-4a2f6a0c1b11"
        #expect(try await bench.administer(.get, path).json == made.json)
        let session = try await bench.signIn("ada@example.com")
        let claims = try SupabaseBench.claims(session["access_token"]?.stringValue)
        #expect(claims["role"] == "editor" && claims["app_metadata"]?.objectValue?["plan"] == "gold")
        let changed = try await bench.administer(
            .put, path, ["app_metadata": ["plan": nil, "seats": 3], "email": "ada@new.example", "email_confirm": true])
        #expect(changed["app_metadata"]?.objectValue?["plan"] == nil)
        #expect(changed["app_metadata"]?.objectValue?["seats"] == 3 && changed["email"] == "ada@new.example")
        let deleted = try await bench.administer(.delete, path)
        #expect(deleted.status == 200 && deleted.text == "{}")
        #expect(try await bench.administer(.get, path).outcome == "404 user_not_found")
        #expect(try await bench.signIn("ada@new.example").outcome == "400 invalid_credentials")
    }

    @Test("D-7 a soft deletion keeps the identifier, and nothing that says who it was")
    func softDeletion() async throws {
        let bench = try await SupabaseBench()
        let id = try await bench.addUser("ada@example.com", ["user_metadata": ["name": "Ada"]])
        #expect(try await bench.administer(.delete, "/admin/users/" + id, ["should_soft_delete": true]).status == 200)
        let listed = try await bench.administer(.get, "/admin/users").text
        #expect(!listed.contains("ada@example.com") && !listed.contains("Ada"))
        #expect(try await bench.signIn("ada@example.com").outcome == "400 invalid_credentials")
    }

    @Test(
        "R24 V15.3.5 a bad identifier, body or duration is refused before anything is done",
        arguments: [
            ("GET", "/admin/users/1", "", "404 validation_failed"),
            ("GET", "/admin/users/..%2f..%2fsettings", "", "404 not_found"),
            ("DELETE", "/admin/users/3f0e8a52-6f0c-4f0e-9a37-4a2f6a0c1b11", "{}", "404 user_not_found"),
            ("PUT", "/admin/users/3f0e8a52-6f0c-4f0e-9a37-4a2f6a0c1b11", "{}", "404 user_not_found"),
            ("POST", "/admin/users", "{}", "400 validation_failed"),
            ("POST", "/admin/users", #"{"email":"eve@example.com","id":"1"}"#, "400 validation_failed"),
            (
                "POST", "/admin/users", #"{"email":"e@x.example","id":"00000000-0000-0000-0000-000000000000"}"#,
                "400 validation_failed"
            ),
            (
                "POST", "/admin/users", #"{"email":"e@x.example","password":"Correct-horse-7","password_hash":"x"}"#,
                "400 validation_failed"
            ),
            ("POST", "/admin/users", #"{"email":"e@x.example","password_hash":"md5"}"#, "400 validation_failed"),
            ("POST", "/admin/users", #"{"email":"e@x.example","email_confirm":"true"}"#, "400 bad_json"),
            ("POST", "/admin/users", #"{"email":"e@x.example","ban_duration":"soon"}"#, "400 validation_failed"),
            ("POST", "/admin/users", #"{"email":"e@x.example","password":"abc"}"#, "422 weak_password"),
            ("POST", "/admin/users", #"{"email":"ada@example.com"}"#, "422 email_exists"),
        ])
    func refusals(method: String, path: String, body: String, outcome: String) async throws {
        let bench = try await SupabaseBench()
        try await bench.addUser("ada@example.com")
        let method = try #require(HTTPRequest.Method(rawValue: method))
        let reply = try await bench.send(
            method, path, raw: body.isEmpty ? nil : body, token: bench.service, key: bench.service)
        #expect(reply.outcome == outcome, "\(reply.text)")
        #expect(try await bench.administer(.get, "/admin/users")["users"]?.arrayValue?.count == 1)
    }

    @Test("D-7 pages hold each user once, and say how many there are and where the next is")
    func pages() async throws {
        let bench = try await SupabaseBench()
        for number in 1...5 { try await bench.addUser("user\(number)@example.com") }
        var seen: [String] = []
        for page in 1...3 {
            let reply = try await bench.administer(.get, "/admin/users?page=\(page)&per_page=2")
            #expect(reply.names == ["users", "aud"] && reply["aud"] == "authenticated")
            #expect(reply[header: "x-total-count"] == "5")
            let link = try #require(reply[header: "link"])
            #expect(link.contains("</auth/v1/admin/users?page=3&per_page=2>; rel=\"last\""))
            #expect(link.contains("rel=\"next\"") == (page < 3))
            seen += (reply["users"]?.arrayValue ?? []).compactMap { $0.objectValue?["email"]?.stringValue }
        }
        #expect(seen.count == 5 && Set(seen).count == 5)
        #expect(try await bench.administer(.get, "/admin/users?page=9&per_page=2")["users"] == [])
        for bad in [
            "page=-1", "page=x", "per_page=0", "per_page=10001", "page=1&page=2", "sort=email", "sort=created_at%20up",
            "sort=",
        ] {
            #expect(
                try await bench.administer(.get, "/admin/users?" + bad).outcome == "400 validation_failed", "\(bad)")
        }
    }

    @Test("R10.3 users are sorted as asked, in pages of any size, and the links keep what was asked")
    func sorting() async throws {
        let bench = try await SupabaseBench()
        for number in 1...3 {
            try await bench.addUser("user\(number)@example.com")
            bench.accounts.advance(by: .minutes(1))
        }
        for (sort, order) in [
            ("created_at%20asc", [1, 2, 3]), ("created_at+ASC", [1, 2, 3]), ("created_at%20desc", [3, 2, 1]),
            ("created_at", [3, 2, 1]),
        ] {
            let reply = try await bench.administer(.get, "/admin/users?page=1&per_page=5000&sort=" + sort)
            let found = (reply["users"]?.arrayValue ?? []).compactMap { $0.objectValue?["email"]?.stringValue }
            #expect(found == order.map { "user\($0)@example.com" }, "\(sort): \(reply.text)")
        }
        let reply = try await bench.administer(.get, "/admin/users?sort=created_at%20asc&per_page=2&page=0")
        let link = try #require(reply[header: "link"])
        #expect(link.contains("</auth/v1/admin/users?page=2&per_page=2&sort=created_at+asc>; rel=\"next\""))
    }

    @Test(
        "D-7 a generated link has the platform's members, is sent to nobody, and works",
        arguments: [
            ("signup", "new@example.com", "signup"), ("invite", "new@example.com", "invite"),
            ("magiclink", "ada@example.com", "magiclink"), ("recovery", "ada@example.com", "recovery"),
            ("magiclink", "new@example.com", "signup"),
        ])
    func links(type: String, email: String, verification: String) async throws {
        let bench = try await SupabaseBench()
        try await bench.addUser("ada@example.com")
        let reply = try await bench.administer(
            .post, "/admin/generate_link",
            [
                "type": .string(type), "email": .string(email), "password": .string(SupabaseBench.password),
                "redirect_to": "https://app.example/in",
            ])
        #expect(reply.status == 200, "\(reply.text)")
        #expect(
            reply.names.isSuperset(of: [
                "id", "email", "action_link", "email_otp", "hashed_token", "verification_type", "redirect_to",
            ]))
        #expect(reply["verification_type"] == .string(verification))
        #expect(reply["redirect_to"] == "https://app.example/in")
        #expect(try await bench.accounts.messages(to: email).isEmpty)
        let verified = try await bench.post(
            "/verify",
            ["type": .string(verification), "email": .string(email), "token": try #require(reply["email_otp"])])
        #expect(verified.names == SignUpTests.session, "\(verified.text)")
    }

    @Test(
        "D-7 a link that can't be is refused",
        arguments: [
            (#"{"type":"fax","email":"ada@example.com"}"#, "400 validation_failed"),
            (#"{"type":"magiclink"}"#, "400 validation_failed"),
            (#"{"type":"recovery","email":"nobody@example.com"}"#, "404 user_not_found"),
            (#"{"type":"email_change_new","email":"ada@example.com"}"#, "400 validation_failed"),
            (#"{"type":"signup","email":"ada@example.com","password":"Correct-horse-7-battery"}"#, "422 email_exists"),
        ])
    func badLinks(body: String, outcome: String) async throws {
        let bench = try await SupabaseBench()
        try await bench.addUser("ada@example.com")
        let reply = try await bench.send(
            .post, "/admin/generate_link", raw: body, token: bench.service, key: bench.service)
        #expect(reply.outcome == outcome, "\(reply.text)")
    }

    @Test("D-7 an invitation makes the user and mails them; whoever has confirmed is not invited")
    func invitation() async throws {
        let bench = try await SupabaseBench()
        let reply = try await bench.administer(
            .post, "/invite", ["email": "ada@example.com", "data": ["team": "a"]])
        #expect(reply.status == 200 && reply["invited_at"] != nil && reply["email_confirmed_at"] == nil)
        #expect(reply["user_metadata"]?.objectValue?["team"] == "a")
        let code = try #require(try await bench.accounts.message(to: "ada@example.com", kind: "invite").code)
        let accepted = try await bench.post(
            "/verify", ["type": "invite", "email": "ada@example.com", "token": .string(code)])
        #expect(accepted.names == SignUpTests.session)
        #expect(
            try await bench.administer(.post, "/invite", ["email": "ada@example.com"]).outcome == "422 email_exists")
        #expect(try await bench.administer(.post, "/invite").outcome == "400 validation_failed")
    }

    @Test("R10.3 filter finds a part of the address or of the full name, whatever its case, page by page")
    func filter() async throws {
        let bench = try await SupabaseBench()
        for (email, name) in [("ada@example.com", "Ada Lovelace"), ("grace@navy.example", "Grace Hopper")] {
            try await bench.addUser(email, ["user_metadata": ["full_name": .string(name)]])
        }
        try await bench.addUser("noname@example.com", ["user_metadata": ["name": "Lovelace"]])
        func found(_ query: String) async throws -> [String] {
            let reply = try await bench.administer(.get, "/admin/users?" + query)
            #expect(reply.status == 200, "\(reply.text)")
            return reply["users"]?.arrayValue?.compactMap { $0.objectValue?["email"]?.stringValue } ?? []
        }
        for (filter, emails) in [
            ("LOVE", ["ada@example.com"]), ("@example", ["noname@example.com", "ada@example.com"]),
            ("navy", ["grace@navy.example"]),
            ("e%20h", ["grace@navy.example"]), ("nobody", []), ("%25", []),
        ] {
            #expect(try await Set(found("filter=" + filter)) == Set(emails), "\(filter)")
        }
        #expect(try await found("filter=").count == 3)
        let pages = [
            try await found("filter=@example&per_page=1"), try await found("filter=@example&per_page=1&page=2"),
        ]
        #expect(Set(pages.joined()).count == 2 && pages.allSatisfy { $0.count == 1 })
        let long = try await bench.administer(.get, "/admin/users?filter=" + String(repeating: "a", count: 257))
        #expect(long.outcome == "400 validation_failed", "\(long.text)")
    }

    @Test("D-7 the audit log has its pages and filters, and neither addresses nor passwords")
    func audit() async throws {
        let bench = try await SupabaseBench()
        let id = try await bench.addUser("ada@example.com")
        _ = try await bench.signIn("ada@example.com")
        _ = try await bench.signIn("ada@example.com", password: "Wrong-horse-7")
        let all = try await bench.administer(.get, "/admin/audit?per_page=1")
        let events = try #require(try JSONValue(parsing: all.text.utf8).arrayValue)
        #expect(events.count == 1 && (Int(all[header: "x-total-count"] ?? "") ?? 0) > 2)
        #expect(Set(events[0].objectValue?.names ?? []) == ["id", "payload", "created_at", "ip_address"])
        let own = try await bench.administer(.get, "/admin/audit?query=author:\(id)")
        #expect(own.status == 200)
        let text = try await bench.administer(.get, "/admin/audit").text
        #expect(!text.contains("ada@example.com") && !text.contains("horse"))
        for bad in ["nonsense", "who:me", "type"] {
            #expect(
                try await bench.administer(.get, "/admin/audit?query=" + bad).outcome == "400 validation_failed")
        }
    }

    @Test("R10.3 the audit log says each entry's type, and is narrowed by a part of type, action or author")
    func auditTypes() async throws {
        let bench = try await SupabaseBench()
        let id = try await bench.addUser("ada@example.com")
        try await bench.addUser("eve@example.com")
        let (_, refresh) = try await bench.session(of: "ada@example.com")
        _ = try await bench.refresh(refresh)
        _ = try await bench.post("/recover", ["email": "ada@example.com"])
        func entries(_ query: String) async throws -> [JSONObject] {
            let reply = try await bench.administer(.get, "/admin/audit?query=" + query)
            let list = try #require(try JSONValue(parsing: reply.text.utf8).arrayValue, "\(reply.text)")
            let payloads = list.compactMap { $0.objectValue?["payload"]?.objectValue }
            #expect(reply[header: "x-total-count"] == String(payloads.count))
            return payloads
        }
        for (type, action) in [("account", "login"), ("team", "user_signedup"), ("user", "user_recovery_requested")] {
            let found = try await entries("type:" + type)
            #expect(!found.isEmpty && found.allSatisfy { $0["log_type"] == .string(type) })
            #expect(found.contains { $0["action"] == .string(action) }, "\(type)")
        }
        #expect(try await entries("type:ACC").count == entries("type:account").count)
        #expect(try await entries("action:recovery").map { $0["action"] } == ["user_recovery_requested" as JSONValue])
        for query in ["type:nothing", "action:nothing"] { #expect(try await entries(query).isEmpty) }
        let own = try await entries("author:" + id)
        #expect(!own.isEmpty && own.allSatisfy { $0["user_id"] == .string(id) })
        #expect(try await entries("author:ada@example.com").count == own.count)
    }
}
