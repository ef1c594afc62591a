// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import AppAPI

@Suite("Where a user is signed in, over HTTP") struct SessionsTests {
    private func list(_ bench: AppBench, _ token: String, _ query: String = "") async throws -> [JSONObject] {
        let answer = try await bench.send(.get, "/v1/sessions" + query, token: token)
        #expect(answer.status == .ok)
        return answer.json["sessions"]?.arrayValue?.compactMap(\.objectValue) ?? []
    }

    private func id(of sessions: [JSONObject], isCurrent: Bool) throws -> String {
        try #require(sessions.first { $0["current"] == .bool(isCurrent) }?["id"]?.stringValue)
    }

    @Test("G-6.2 G-6.6 the list says device, place and times of each, and which is the caller's own")
    func shown() async throws {
        let bench = try await AppBench()
        let user = try await bench.addUser("ada@example.com")
        let token = try await bench.signIn(user)
        let browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
        try await bench.ports.store.write { tx in
            let id = SessionID("0b6ea1b4-0000-4000-8000-000000000001")
            let (family, _) = RefreshTokenFamily.open(for: id, secret: bench.ports.random.bytes(24))
            try tx.insert(
                Session(
                    id: id, directoryID: user.directoryID, userID: user.id,
                    device: DeviceMetadata(
                        operatingSystem: "iOS 26.1", appVersion: "4.2", userAgent: browser,
                        truncatedAddress: "203.0.113.0"),
                    methods: [], assurance: .aal1, createdAt: AppBench.now - .days(2),
                    lastActiveAt: AppBench.now - .days(1), notAfter: nil, family: family))
        }
        let sessions = try await list(bench, token)
        #expect(sessions.map { $0["current"] } == [true, false])
        #expect(sessions[0]["device"] == "phone")
        let other: JSONObject = [
            "id": "0b6ea1b4-0000-4000-8000-000000000001", "device": "Firefox, Linux", "operatingSystem": "iOS 26.1",
            "appVersion": "4.2", "app": nil, "address": "203.0.113.0",
            "createdAt": .string((AppBench.now - .days(2)).rfc3339),
            "lastActiveAt": .string((AppBench.now - .days(1)).rfc3339), "current": false, "remembered": false,
        ]
        #expect(sessions[1] == other)
        let schema = OpenAPIDocument.accountSchemas["Session"]?.objectValue
        #expect(schema?["required"]?.arrayValue?.compactMap(\.stringValue) == other.names)
    }

    @Test("G-6.2 a session says whether its device is remembered: one that is only known of is not, nor another user's")
    func remembered() async throws {
        let bench = try await AppBench()
        let user = try await bench.addUser("ada@example.com")
        let other = try await bench.addUser("bob@example.com")
        let token = try await bench.signIn(user)
        let devices = ["remembered", "known", "anothers", "forgotten"].map { RememberedDeviceID($0) }
        try await bench.ports.store.write { tx in
            for (device, owner, isRemembered) in [
                (devices[0], user, true), (devices[1], user, false), (devices[2], other, true),
            ] {
                try tx.insert(
                    RememberedDevice(
                        id: device, directoryID: user.directoryID, userID: owner.id,
                        verifier: SRPVerifier(salt: [1], verifier: Secret([1])), isRemembered: isRemembered,
                        assurance: .aal1, createdAt: AppBench.now))
            }
            for (index, device) in devices.enumerated() {
                let id = SessionID("0b6ea1b4-0000-4000-8000-00000000000\(index)")
                let (family, _) = RefreshTokenFamily.open(for: id, secret: bench.ports.random.bytes(24))
                try tx.insert(
                    Session(
                        id: id, directoryID: user.directoryID, userID: user.id, device: DeviceMetadata(), methods: [],
                        assurance: .aal1, createdAt: AppBench.now - .days(1), lastActiveAt: AppBench.now,
                        notAfter: nil, family: family, rememberedDevice: device))
            }
        }
        let marked = try await list(bench, token).filter { $0["remembered"] == true }
        #expect(marked.map { $0["id"]?.stringValue?.last } == ["0"])
    }

    @Test("G-6.2 pages are bounded, hold each once, and take no cursor but their own")
    func pages() async throws {
        let bench = try await AppBench()
        let user = try await bench.addUser("ada@example.com")
        var token = ""
        for _ in 0..<5 { token = try await bench.signIn(user) }
        var (seen, cursor) = ([String](), "")
        repeat {
            let answer = try await bench.send(.get, "/v1/sessions?limit=2" + cursor, token: token)
            let page = answer.json["sessions"]?.arrayValue ?? []
            #expect(page.count <= 2)
            seen += page.compactMap { $0.objectValue?["id"]?.stringValue }
            cursor = answer.json["nextCursor"]?.stringValue.map { "&cursor=" + $0 } ?? ""
        } while !cursor.isEmpty && seen.count < 99
        #expect(seen.count == 5 && Set(seen).count == 5)
        for bad in ["?limit=0", "?limit=101", "?limit=x", "?cursor=eA", "?cursor=%00", "?others=true"] {
            #expect(try await bench.send(.get, "/v1/sessions" + bad, token: token).status == .badRequest, "\(bad)")
        }
    }

    @Test("G-6.3 G-6.5 one that is ended is out with its next request, which says why")
    func endOne() async throws {
        let bench = try await AppBench()
        let user = try await bench.addUser("ada@example.com")
        let lost = try await bench.signIn(user)
        let id = try id(of: try await list(bench, lost), isCurrent: true)
        let token = try await bench.signIn(user)
        let ended = try await bench.send(.delete, "/v1/sessions/" + id, token: token)
        #expect(ended.status == .ok && ended.json["ended"] == 1)
        let refused = try await bench.send(.get, "/v1/me", token: lost)
        #expect(refused.status == .unauthorized)
        #expect(refused.json["error"] == "invalid_token" && refused.json["code"] == "session_not_found")
        #expect(refused.challenge?.contains("The session was ended") == true)
        #expect(try await list(bench, token).count == 1)
        // It is not there any more.
        #expect(try await bench.send(.delete, "/v1/sessions/" + id, token: token).status == .notFound)
    }

    @Test("G-6.3 another user's session is as little there as one that is nobody's, and lives on")
    func strangers() async throws {
        let bench = try await AppBench()
        let owner = try await bench.signIn(try await bench.addUser("ada@example.com"))
        let id = try id(of: try await list(bench, owner), isCurrent: true)
        let token = try await bench.signIn(try await bench.addUser("eve@example.com"))
        let answers = [
            try await bench.send(.delete, "/v1/sessions/" + id, token: token),
            try await bench.send(.delete, "/v1/sessions/00000000-0000-4000-8000-000000000000", token: token),
            try await bench.send(.delete, "/v1/sessions/" + String(repeating: "x", count: 500), token: token),
        ]
        for answer in answers {
            #expect(answer.status == .notFound && answer.json == answers[0].json)
        }
        #expect(try await bench.send(.get, "/v1/me", token: owner).status == .ok)
        let program = try await bench.send(.get, "/v1/sessions", token: nil)
        #expect(program.status == .unauthorized)
    }

    @Test("G-6.4 all others are ended, and only where that is asked for in so many words")
    func endOthers() async throws {
        let bench = try await AppBench()
        let user = try await bench.addUser("ada@example.com")
        let others = [try await bench.signIn(user), try await bench.signIn(user)]
        let stranger = try await bench.signIn(try await bench.addUser("eve@example.com"))
        let token = try await bench.signIn(user)
        for query in ["", "?others=false", "?others=true&x=1", "?limit=1"] {
            #expect(
                try await bench.send(.delete, "/v1/sessions" + query, token: token).status == .badRequest, "\(query)")
        }
        let ended = try await bench.send(.delete, "/v1/sessions?others=true", token: token)
        #expect(ended.status == .ok && ended.json["ended"] == 2)
        for other in others { #expect(try await bench.send(.get, "/v1/me", token: other).status == .unauthorized) }
        for live in [token, stranger] { #expect(try await bench.send(.get, "/v1/me", token: live).status == .ok) }
        #expect(try await bench.send(.delete, "/v1/sessions?others=true", token: token).json["ended"] == 0)
    }
}
