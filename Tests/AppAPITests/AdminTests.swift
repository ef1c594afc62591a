// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import Testing

@testable import AppAPI

@Suite("Administration over HTTP")
struct AdminTests {
    private static let lists = ["/v1/admin/users", "/v1/admin/groups", "/v1/admin/audit"]

    @Test("C-4 members of one of the groups may, everybody else is told what RFC 6750 says")
    func groups() async throws {
        let bench = try await AppBench()
        let admin = try await bench.signIn(try await bench.addUser("admin@example.com", in: ["admin"]))
        let tester = try await bench.signIn(try await bench.addUser("tester@example.com", in: ["testing"]))
        let other = try await bench.addUser("other@example.com", in: ["Admin", "admins"])
        // What a token says of groups does not count, and what users write of themselves even less.
        let claims: JSONObject = [
            "groups": ["admin"], "app_metadata": ["groups": ["admin"]], "user_metadata": ["groups": ["admin"]],
            "role": "admin",
        ]
        let outsider = try await bench.signIn(other, changes: claims)
        let paths = Route.all.filter { $0.access == .administrator }
            .map { ($0.method, $0.path.replacing("{id}", with: other.id.rawValue)) }
        for (method, path) in paths {
            let refused = try await bench.send(method, path, token: outsider)
            #expect(refused.status == .forbidden)
            #expect(refused.json["error"] == "insufficient_scope")
            #expect(refused.challenge?.contains("insufficient_scope") == true)
            let bare = try await bench.send(method, path, token: nil)
            #expect(bare.status == .unauthorized)
            #expect(bare.challenge == "Bearer realm=\"latchkey\"")
        }
        for (method, path) in paths {
            // Nothing is locked that one could lift.
            let wanted: HTTPResponse.Status = path.hasPrefix("/v1/admin/lockouts/") ? .notFound : .ok
            #expect(try await bench.send(method, path, token: admin).status == wanted)
            #expect(try await bench.send(method, path, token: tester).status == wanted)
        }
    }

    @Test(
        "G-8.7 what wrong passwords have locked is listed page by page, with no name that strangers typed, and lifted")
    func lockouts() async throws {
        let bench = try await AppBench()
        let admin = try await bench.signIn(try await bench.addUser("admin@example.com", in: ["admin"]))
        let ada = try await bench.addUser("ada@example.com")
        let directory = ada.directoryID
        try await bench.ports.store.write { tx in
            for (index, user) in [ada.id, nil, nil].enumerated() {
                let at = AppBench.now + .seconds(Int64(index) - 10)
                let lockout = Lockout(
                    key: [UInt8](repeating: UInt8(index), count: 16), directoryID: directory, userID: user,
                    lockedAt: at,
                    truncatedAddress: "203.0.113.0")
                try tx.put(lockout, until: at + .minutes(15))
            }
        }
        var (cursor, seen) = ("", [JSONObject]())
        repeat {
            let page = try await bench.send(.get, "/v1/admin/lockouts?limit=2" + cursor, token: admin)
            #expect(page.status == .ok)
            seen += page.json["lockouts"]?.arrayValue?.compactMap(\.objectValue) ?? []
            cursor = page.json["nextCursor"]?.stringValue.map { "&cursor=" + $0 } ?? ""
        } while !cursor.isEmpty
        #expect(seen.map { $0["userId"] } == [.null, .null, .string(ada.id.rawValue)])
        #expect(seen.allSatisfy { $0["address"] == "203.0.113.0" })
        #expect(seen.last?["lockedUntil"]?.stringValue == (AppBench.now + .seconds(890)).rfc3339)
        let own = try await bench.send(.get, "/v1/admin/lockouts?user=" + ada.id.rawValue, token: admin)
        #expect(own.json["lockouts"]?.arrayValue?.count == 1)
        let id = try #require(seen.last?["id"]?.stringValue)
        #expect(try await bench.send(.delete, "/v1/admin/lockouts/" + id, token: admin).status == .ok)
        #expect(try await bench.send(.delete, "/v1/admin/lockouts/" + id, token: admin).status == .notFound)
        let left = try await bench.send(.get, "/v1/admin/lockouts", token: admin)
        #expect(left.json["lockouts"]?.arrayValue?.count == 2)
        for bad in ["?cursor=eA", "?limit=0", "?other=1"] {
            #expect(
                try await bench.send(.get, "/v1/admin/lockouts" + bad, token: admin).status == .badRequest, "\(bad)")
        }
    }

    @Test("R10.2 who has not proved an address administrates nothing, though somebody put the address into the group")
    func unverified() async throws {
        let bench = try await AppBench()
        let user = try await bench.addUser("admin@example.com", in: ["admin"], isVerified: false)
        let token = try await bench.signIn(user)
        #expect(try await bench.send(.get, "/v1/admin/users", token: token).status == .forbidden)
        #expect(try await bench.send(.get, "/v1/me", token: token).status == .ok)
        try await bench.ports.store.write { tx in
            var proved = try #require(try tx.user(user.id, in: user.directoryID))
            proved.emailVerifiedAt = AppBench.now
            try tx.update(proved)
        }
        #expect(try await bench.send(.get, "/v1/admin/users", token: token).status == .ok)
    }

    @Test("C-4 whoever leaves the group is out with the next request; without groups nobody is in")
    func leaving() async throws {
        let bench = try await AppBench()
        let user = try await bench.addUser("admin@example.com", in: ["admin"])
        let token = try await bench.signIn(user)
        #expect(try await bench.send(.get, "/v1/admin/users", token: token).status == .ok)
        _ = try await GroupAdministration(bench.ports).remove(user.id, from: "admin", call: bench.call)
        #expect(try await bench.send(.get, "/v1/admin/users", token: token).status == .forbidden)
        let closed = try await AppBench(administrators: [])
        let nobody = try await closed.signIn(try await closed.addUser("admin@example.com", in: ["admin"]))
        #expect(try await closed.send(.get, "/v1/admin/users", token: nobody).status == .forbidden)
    }

    @Test("pages of users hold each once, in order, to the end")
    func pages() async throws {
        let bench = try await AppBench()
        let token = try await bench.signIn(try await bench.addUser("admin@example.com", in: ["admin"]))
        for number in 1...6 { _ = try await bench.addUser("user\(number)@example.com") }
        var seen: [String] = []
        var cursor = ""
        for _ in 1...4 {
            let page = try await bench.send(.get, "/v1/admin/users?limit=2" + cursor, token: token).json
            seen += (page["users"]?.arrayValue ?? []).compactMap { $0.objectValue?["id"]?.stringValue }
            guard let next = page["nextCursor"]?.stringValue else { break }
            cursor = "&cursor=\(next)"
        }
        #expect(seen.count == 7)
        #expect(seen == Set(seen).sorted())
    }

    @Test("a bad page is refused", arguments: ["limit=0", "limit=101", "limit=x", "cursor=%00", "cursor=", "page=2"])
    func badPages(query: String) async throws {
        let bench = try await AppBench()
        let token = try await bench.signIn(try await bench.addUser("admin@example.com", in: ["admin"]))
        for path in ["/v1/admin/users", "/v1/admin/audit"] {
            let answer = try await bench.send(.get, path + "?" + query, token: token)
            #expect(answer.status == .badRequest)
            #expect(answer.json["error"] == "invalid_request")
        }
        for cursor in ["-1", "1.", ".x", "x.x"].map({ Base64URL.encode(Array($0.utf8)) }) {
            #expect(try await bench.send(.get, "/v1/admin/audit?cursor=\(cursor)", token: token).status == .badRequest)
        }
    }

    @Test("one user is shown with groups and providers, and nothing of how they sign in")
    func user() async throws {
        let bench = try await AppBench()
        let token = try await bench.signIn(try await bench.addUser("admin@example.com", in: ["admin"]))
        let user = try await bench.addUser("user@example.com", in: ["b", "a"])
        let json = try await bench.send(.get, "/v1/admin/users/\(user.id.rawValue)", token: token).json
        #expect(json["email"] == "user@example.com")
        #expect(json["groups"] == ["a", "b"])
        #expect(json["providers"] == ["email"])
        #expect(!json.names.contains { $0.lowercased().contains("password") })
        for id in ["nobody", user.id.rawValue.uppercased() + "x", String(repeating: "a", count: 200)] {
            for suffix in ["", "/sessions"] {
                let answer = try await bench.send(.get, "/v1/admin/users/\(id)\(suffix)", token: token)
                #expect(answer.status == .notFound)
            }
        }
    }

    @Test("sessions that are ended stop working at once, and the audit log says who did it")
    func sessions() async throws {
        let bench = try await AppBench()
        let admin = try await bench.addUser("admin@example.com", in: ["admin"])
        let token = try await bench.signIn(admin)
        let user = try await bench.addUser("user@example.com")
        let theirs = [try await bench.signIn(user), try await bench.signIn(user)]
        let path = "/v1/admin/users/\(user.id.rawValue)/sessions"
        let listed = try await bench.send(.get, path, token: token).json["sessions"]?.arrayValue
        #expect(listed?.count == 2)
        #expect(listed?.first?.objectValue?["device"] == "phone")
        for token in theirs { #expect(try await bench.send(.get, "/v1/me", token: token).status == .ok) }
        #expect(try await bench.send(.delete, path, token: token).json["ended"] == 2)
        for token in theirs { #expect(try await bench.send(.get, "/v1/me", token: token).status == .unauthorized) }
        #expect(try await bench.send(.get, path, token: token).json["sessions"] == [])
        #expect(try await bench.send(.get, "/v1/me", token: token).status == .ok)
        let log = try await bench.send(
            .get, "/v1/admin/audit?action=token_revoked&user=\(user.id.rawValue)", token: token)
        let events = log.json["events"]?.arrayValue ?? []
        #expect(events.count == 1)
        #expect(events.first?.objectValue?["actor"]?.stringValue == "administrator:" + admin.id.rawValue)
        #expect(events.first?.objectValue?["details"] == ["sessions": 2])
    }

    @Test("the audit log is paged, newest first")
    func audit() async throws {
        let bench = try await AppBench()
        let token = try await bench.signIn(try await bench.addUser("admin@example.com", in: ["admin"]))
        for number in 1...4 { _ = try await bench.addUser("user\(number)@example.com") }
        var seen: Set<String> = []
        var cursor = ""
        var pages = 0
        repeat {
            let page = try await bench.send(.get, "/v1/admin/audit?limit=3" + cursor, token: token).json
            for event in page["events"]?.arrayValue ?? [] {
                let isNew = seen.insert(event.objectValue?["id"]?.stringValue ?? "").inserted
                #expect(isNew)
            }
            cursor = page["nextCursor"]?.stringValue.map { "&cursor=\($0)" } ?? ""
            pages += 1
        } while !cursor.isEmpty && pages < 10
        #expect(seen.count == 7)
        #expect(pages == 3)
    }
}

@Suite("Access tokens of this API")
struct BearerAuthenticationTests {
    @Test("Y-FR6 a token is judged before any work, and errors are said in this API's form")
    func faults() async throws {
        let bench = try await AppBench()
        let user = try await bench.addUser("user@example.com")
        #expect(try await bench.send(.get, "/v1/me", token: try await bench.signIn(user)).status == .ok)
        let faults: [(JSONObject, String)] = [
            (["exp": .integer(AppBench.now.seconds)], "token_expired"), (["aud": "other"], "token_invalid"),
            (["iss": "https://other.example"], "token_invalid"), (["session_id": .null], "token_invalid"),
            (["sub": "somebody-else"], "token_invalid"), (["session_id": "unknown"], "token_invalid"),
            (["iat": .integer(AppBench.now.seconds + 100)], "token_invalid"),
        ]
        for (changes, code) in faults {
            let answer = try await bench.send(.get, "/v1/me", token: try await bench.signIn(user, changes: changes))
            #expect(answer.status == .unauthorized)
            #expect(answer.json["error"] == "invalid_token")
            #expect(answer.json["code"] == .string(code))
        }
        let stranger = try SigningKey.generate(.es256, keyID: "x")
        let forged = try await bench.send(.get, "/v1/me", token: try await bench.signIn(user, key: stranger))
        #expect(forged.json["code"] == "token_invalid")
        let missing = try await bench.send(.get, "/v1/me", token: nil)
        #expect(missing.json["code"] == "token_missing")
    }

    @Test("a token that was good stays good from memory, until its session ends")
    func memory() async throws {
        let bench = try await AppBench()
        let user = try await bench.addUser("user@example.com")
        let token = try await bench.signIn(user)
        for _ in 1...3 { #expect(try await bench.send(.get, "/v1/me", token: token).status == .ok) }
        _ = try await SessionAdministration(bench.ports).endAll(of: user.id, call: bench.call)
        #expect(try await bench.send(.get, "/v1/me", token: token).json["code"] == "session_not_found")
    }
}

@Suite("The administrative part of the API's description")
struct AdminDocumentTests {
    @Test("every administrative route is described, and nothing else")
    func complete() {
        let described = OpenAPIDocument.adminPaths.members.flatMap { path in
            (path.value.objectValue?.names ?? []).map { "\($0.uppercased()) \(path.name)" }
        }
        let routes = Route.all.filter { $0.access == .administrator }
        #expect(Set(described) == Set(routes.map { "\($0.method.rawValue) \($0.path)" }))
    }

    @Test("what is answered has exactly the members that are described")
    func members() async throws {
        let bench = try await AppBench()
        let user = try await bench.addUser("admin@example.com", in: ["admin"])
        let token = try await bench.signIn(user)
        let samples = [
            ("/v1/admin/users", "users", "AdminUser"), ("/v1/admin/groups", "groups", "AdminGroup"),
            ("/v1/admin/users/\(user.id.rawValue)/sessions", "sessions", "AdminSession"),
            ("/v1/admin/audit", "events", "AuditEvent"),
        ]
        for (path, list, schema) in samples {
            let items = try await bench.send(.get, path, token: token).json[list]?.arrayValue ?? []
            let required = OpenAPIDocument.adminSchemas[schema]?.objectValue?["required"]?.arrayValue ?? []
            #expect(items.first?.objectValue.map { Set($0.names) } == Set(required.compactMap(\.stringValue)))
        }
    }
}
