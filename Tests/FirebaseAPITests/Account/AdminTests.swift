// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Testing

@testable import FirebaseAPI

@Suite struct AdminTests {
    @Test("A user is created, found by each name, changed and deleted")
    func life() async throws {
        let bench = try await FirebaseBench()
        let id = "0190a6c2-0000-7000-8000-000000000001"
        let created = try await bench.administer(
            "/accounts",
            [
                "localId": .string(id), "email": "Ada@Example.com", "phoneNumber": "+15555550100",
                "displayName": "Ada", "photoUrl": "https://example.com/a.png",
                "password": .string(FirebaseBench.password), "emailVerified": true,
            ])
        #expect(created.status == 200, "\(created.text)")
        #expect(created["localId"]?.stringValue == id && created["idToken"] == nil)
        for body in [
            ["localId": [.string(id)]], ["email": ["ADA@example.com"]], ["phoneNumber": ["+15555550100"]],
            ["localId": .string(id), "email": ["ada@example.com"]],
            ["federatedUserId": [["providerId": "phone", "rawId": "+15555550100"]]],
        ] as [JSONObject] {
            let reply = try await bench.administer("/accounts:lookup", body)
            let users = try #require(reply["users"]?.arrayValue, "\(reply.text)")
            #expect(users.count == 1)
            let user = users.first?.objectValue
            #expect(user?["lastLoginAt"] == nil && user?["lastRefreshAt"] == nil)
            #expect(user?["providerUserInfo"]?.arrayValue?.count == 2)
            #expect(user?["disabled"] == nil)
        }
        let none = try await bench.administer("/accounts:lookup", ["localId": ["nobody"], "email": ["x"]])
        #expect(none.status == 200 && none.json.names == ["kind"])

        let changed = try await bench.administer(
            "/accounts:update",
            [
                "localId": .string(id), "email": "b@example.com", "disableUser": true,
                "deleteAttribute": ["PHOTO_URL"],
            ])
        #expect(changed["email"] == "b@example.com" && changed["emailVerified"] == false, "\(changed.text)")
        #expect(changed["photoUrl"] == nil && changed["displayName"] == "Ada")
        let looked = try await bench.administer("/accounts:lookup", ["localId": [.string(id)]])
        #expect(looked["users"]?.arrayValue?.first?.objectValue?["disabled"] == true)

        let deleted = try await bench.administer("/accounts:delete", ["localId": .string(id)])
        #expect(deleted["kind"] == "identitytoolkit#DeleteAccountResponse")
        #expect(try await bench.administer("/accounts:delete", ["localId": .string(id)]).code == "USER_NOT_FOUND")
        #expect(
            try await bench.administer("/accounts:update", ["localId": .string(id)]).code == "USER_NOT_FOUND")
    }

    @Test("A user may have no name but the identifier, and then has no way in")
    func identifierAlone() async throws {
        let bench = try await FirebaseBench()
        let first = try await bench.administer("/accounts", ["displayName": "Ada"])
        let second = try await bench.administer("/accounts")
        #expect(first.status == 200 && second.status == 200, "\(first.text) \(second.text)")
        #expect(first.json.names == ["kind", "localId", "displayName"])
        let looked = try await bench.administer(
            "/accounts:lookup", ["localId": [first["localId"] ?? "", second["localId"] ?? ""]])
        let users = looked["users"]?.arrayValue ?? []
        #expect(users.count == 2)
        #expect(users.allSatisfy { $0.objectValue?["providerUserInfo"] == nil && $0.objectValue?["email"] == nil })
    }

    @Test("Taken names and bad values are named")
    func refusals() async throws {
        let bench = try await FirebaseBench()
        let id = try await bench.addUser("ada@example.com")
        for (rest, body, code) in [
            ("/accounts", ["email": "ada@example.com"], "EMAIL_EXISTS"),
            ("/accounts", ["email": "b@example.com", "localId": .string(id)], "DUPLICATE_LOCAL_ID"),
            ("/accounts", ["email": "b@example.com", "localId": "a\u{0}"], "INVALID_LOCAL_ID"),
            (
                "/accounts", ["email": "b@example.com", "localId": .string(String(repeating: "x", count: 129))],
                "INVALID_LOCAL_ID"
            ),
            ("/accounts", ["email": "b@example.com", "password": "x"], "WEAK_PASSWORD"),
            ("/accounts", ["email": "b"], "INVALID_EMAIL"),
            ("/accounts", ["phoneNumber": "1"], "INVALID_PHONE_NUMBER"),
            ("/accounts:update", ["email": "b@example.com"], "MISSING_LOCAL_ID"),
            ("/accounts:delete", [:], "MISSING_LOCAL_ID"),
            ("/accounts:batchDelete", [:], "MISSING_LOCAL_ID"),
            (
                "/accounts:sendOobCode",
                ["requestType": "PASSWORD_RESET", "email": "x@example.com", "returnOobLink": true], "EMAIL_NOT_FOUND"
            ),
            (
                "/accounts:sendOobCode",
                ["requestType": "VERIFY_EMAIL", "email": "x@example.com", "returnOobLink": true], "USER_NOT_FOUND"
            ),
        ] as [(String, JSONObject, String)] {
            let reply = try await bench.administer(rest, body)
            #expect(reply.status == 400 && reply.code == code, "\(code): \(reply.text)")
        }
    }

    @Test("Pages of users go through all of them, each once")
    func pages() async throws {
        let bench = try await FirebaseBench()
        var ids: Set<String> = []
        for index in 0..<7 { ids.insert(try await bench.addUser("user\(index)@example.com")) }
        var seen: [String] = []
        var token = ""
        repeat {
            let next = token.isEmpty ? "" : "&nextPageToken=\(token)"
            let reply = try await bench.administer("/accounts:batchGet?maxResults=3\(next)", method: .get)
            #expect(reply["kind"] == "identitytoolkit#DownloadAccountResponse")
            seen += reply["users"]?.arrayValue?.compactMap { $0.objectValue?["localId"]?.stringValue } ?? []
            token = reply["nextPageToken"]?.stringValue ?? ""
        } while !token.isEmpty
        #expect(seen.count == 7 && Set(seen) == ids)
        let legacy = try await bench.send(
            .post, "/www.googleapis.com/identitytoolkit/v3/relyingparty/downloadAccount",
            body: #"{"targetProjectId":"default","maxResults":100}"#,
            headers: [.authorization: "Bearer " + bench.secret])
        #expect(legacy["users"]?.arrayValue?.count == 7 && legacy["nextPageToken"] == nil, "\(legacy.text)")
    }

    @Test("R10.5 a full page is followed by another, even by an empty one")
    func fullPage() async throws {
        let bench = try await FirebaseBench()
        for index in 0..<2 { try await bench.addUser("user\(index)@example.com") }
        let full = try await bench.administer("/accounts:batchGet?maxResults=2", method: .get)
        let token = try #require(full["nextPageToken"]?.stringValue, "\(full.text)")
        let rest = try await bench.administer(
            "/accounts:batchGet?maxResults=2&nextPageToken=\(token)", method: .get)
        #expect(rest.status == 200 && rest.json.names == ["kind"], "\(rest.text)")
    }

    @Test(
        "R10.5 the operator's program takes a link of the user whose token it has, and has messages sent in their name")
    func linksByToken() async throws {
        let bench = try await FirebaseBench()
        try await bench.addUser("ada@example.com")
        try await bench.addUser("bob@example.com")
        let token = try await bench.signIn("ada@example.com")["idToken"] ?? ""
        for (type, mode) in [
            ("VERIFY_EMAIL", "verifyEmail"), ("VERIFY_AND_CHANGE_EMAIL", "verifyAndChangeEmail"),
        ] {
            let body: JSONObject = [
                "requestType": .string(type), "idToken": token, "email": "bob@example.com",
                "newEmail": "new@example.com", "returnOobLink": true,
            ]
            let reply = try await bench.administer("/accounts:sendOobCode", body)
            #expect(reply["email"] == "ada@example.com", "\(reply.text)")
            #expect(FirebaseBench.parameter("mode", of: reply["oobLink"]?.stringValue) == mode, "\(reply.text)")
        }
        #expect(try await bench.mailCount("ada@example.com") == 0)
        // A link that was made just now counts as sent.
        bench.advance(.minutes(2))
        let sent = try await bench.administer(
            "/accounts:sendOobCode", ["requestType": "VERIFY_EMAIL", "idToken": token])
        #expect(sent.status == 200 && sent["oobLink"] == nil, "\(sent.text)")
        #expect(try await bench.mailCount("ada@example.com") == 1)
        for (body, code) in [
            (["requestType": "VERIFY_EMAIL", "email": "ada@example.com"], "MISSING_ID_TOKEN"),
            (["requestType": "VERIFY_EMAIL", "idToken": "x", "returnOobLink": true], "INVALID_ID_TOKEN"),
            (
                [
                    "requestType": "VERIFY_AND_CHANGE_EMAIL", "email": "ada@example.com",
                    "newEmail": "bob@example.com", "returnOobLink": true,
                ], "EMAIL_EXISTS"
            ),
        ] as [(JSONObject, String)] {
            #expect(try await bench.administer("/accounts:sendOobCode", body).code == code, "\(body.text)")
        }
    }

    @Test("Deleting many spares those who are not disabled, unless it is forced")
    func batchDelete() async throws {
        let bench = try await FirebaseBench()
        let active = try await bench.addUser("a@example.com")
        let disabled = try await bench.addUser("b@example.com")
        _ = try await bench.administer("/accounts:update", ["localId": .string(disabled), "disableUser": true])
        let ids: JSONValue = [.string(disabled), .string(active), "nobody"]
        let reply = try await bench.administer("/accounts:batchDelete", ["localIds": ids])
        let errors = try #require(reply["errors"]?.arrayValue)
        #expect(errors.count == 1 && errors.first?.objectValue?["index"] == 1)
        let forced = try await bench.administer("/accounts:batchDelete", ["localIds": ids, "force": true])
        #expect(forced.status == 200 && forced.json.isEmpty)
    }

    @Test("Links for an operator: nothing is sent, nothing is lost, and each works")
    func links() async throws {
        let bench = try await FirebaseBench()
        try await bench.addUser("ada@example.com", confirmed: false)
        for type in ["VERIFY_EMAIL", "PASSWORD_RESET"] {
            let reply = try await bench.administer(
                "/accounts:sendOobCode",
                [
                    "requestType": .string(type), "email": "ada@example.com", "returnOobLink": true,
                    "continueUrl": "https://app.example/x",
                ])
            #expect(reply.status == 200, "\(reply.text)")
            let link = reply["oobLink"]?.stringValue
            #expect(FirebaseBench.parameter("oobCode", of: link) == reply["oobCode"]?.stringValue)
            #expect(FirebaseBench.parameter("continueUrl", of: link) == "https://app.example/x")
            let operation = type == "VERIFY_EMAIL" ? "update" : "resetPassword"
            #expect(try await bench.call(operation, ["oobCode": reply["oobCode"] ?? ""]).status == 200, "\(type)")
        }
        #expect(try await bench.mailCount("ada@example.com") == 0)
        #expect(try await bench.signIn("ada@example.com").status == 200)
    }

    @Test("The operator's operations need the operator's key, of this project and with the scope")
    func authority() async throws {
        let bench = try await FirebaseBench()
        let id = try await bench.addUser("ada@example.com")
        let other = try await DirectoryAdministration(bench.ports).create(name: "other", at: bench.now)
        let administration = APIKeyAdministration(bench.ports)
        let foreign = try await administration.create(.secret, name: "x", in: other, at: bench.now).secret.reveal()
        let scoped = try await administration.create(
            .secret, name: "x", scopes: ["read:metrics"], in: bench.directory, at: bench.now
        ).secret.reveal()
        let session = try await bench.signIn("ada@example.com")["idToken"]?.stringValue ?? ""
        for (token, status) in [
            ("owner", 401), ("x", 401), (bench.key, 401), (session, 401), (foreign, 403), (scoped, 403),
            (bench.secret, 200),
        ] {
            let reply = try await bench.administer("/accounts:lookup", ["localId": [.string(id)]], token: token)
            #expect(reply.status == status, "\(token.prefix(8)): \(reply.text)")
        }
        let path = FirebaseBench.toolkit + "/v1/projects/default/accounts:lookup?key=" + bench.key
        #expect(try await bench.send(.post, path, body: "{}").status == 401)
        for project in ["other", "nowhere"] {
            #expect(try await bench.administer("/accounts:lookup", project: project).status == 403, "\(project)")
        }
    }

    @Test("In development the SDKs' own credentials are taken: any key, and the owner")
    func development() async throws {
        let bench = try await FirebaseBench(development: true)
        let id = try await bench.addUser("ada@example.com")
        #expect(try await bench.call("signUp", ["email": "x"], key: "fake-api-key").code == "INVALID_EMAIL")
        #expect(try await bench.call("signUp", ["email": "x"], key: bench.secret).status == 400)
        let reply = try await bench.administer("/accounts:lookup", ["localId": [.string(id)]], token: "Owner")
        #expect(reply["users"]?.arrayValue?.count == 1, "\(reply.text)")
        let elsewhere = try await bench.administer("/accounts:lookup", token: "owner", project: "x")
        #expect(elsewhere.code == "PROJECT_NOT_FOUND")
        let plain = try await FirebaseBench()
        let refused = try await plain.call("signUp", ["email": "x"], key: "fake-api-key")
        #expect(refused.status == 400)
        #expect(refused.code == "API key not valid. Please pass a valid API key.")
        #expect(refused.json.text.contains(#""reason":"keyInvalid""#))
        let header = try await plain.send(
            .post, "/v1/accounts:signUp", body: "{}", headers: [.apiKey: plain.key])
        #expect(header.code == "ADMIN_ONLY_OPERATION", "\(header.text)")
        let none = try await plain.send(.post, "/v1/accounts:signUp", body: "{}")
        #expect(none.status == 403 && none.code == "The request is missing a valid API key.")
    }

    @Test("R8.6 a stranger's sign-up leaves an account that an administrator made as it is, and its owner recovers it")
    func strangerSignsUp() async throws {
        let bench = try await FirebaseBench()
        let made = try await bench.administer(
            "/accounts",
            ["email": "ada@example.com", "password": .string(FirebaseBench.password), "displayName": "Ada"])
        let body: JSONObject = ["localId": [.string(try #require(made["localId"]?.stringValue))]]
        let before = try await bench.administer("/accounts:lookup", body).text
        let stranger = try await bench.call(
            "signUp", ["email": "ada@example.com", "password": "Stranger-horse-9", "displayName": "Mallory"])
        #expect(stranger.code == "EMAIL_EXISTS")
        #expect(try await bench.administer("/accounts:lookup", body).text == before)
        #expect(
            try await bench.signIn("ada@example.com", password: "Stranger-horse-9").code == "INVALID_LOGIN_CREDENTIALS")
        _ = try await bench.call("sendOobCode", ["requestType": "PASSWORD_RESET", "email": "ada@example.com"])
        let code = FirebaseBench.parameter(
            "oobCode", of: try await bench.mail("ada@example.com", kind: "recovery").link)
        let reset = try await bench.call(
            "resetPassword", ["oobCode": .string(try #require(code)), "newPassword": "Owner-horse-99"])
        #expect(reset.status == 200, "\(reset.text)")
        #expect(try await bench.signIn("ada@example.com", password: "Owner-horse-99").status == 200)
    }
}
