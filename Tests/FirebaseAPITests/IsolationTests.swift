// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Testing

@testable import FirebaseAPI

@Suite struct IsolationTests {
    /// A second project beside the bench's own, with a key for its apps and one for its operator.
    private struct Other {
        let directory: Directory
        let key: String
        let secret: String

        init(_ bench: FirebaseBench) async throws {
            directory = try await DirectoryAdministration(bench.ports).create(name: "other", at: bench.now)
            let keys = APIKeyAdministration(bench.ports)
            key = try await keys.create(.publishable, name: "x", in: directory, at: bench.now).secret.reveal()
            secret = try await keys.create(.secret, name: "x", in: directory, at: bench.now).secret.reveal()
        }
    }

    @Test("No operation of a project takes another project's token, code or identifier")
    func everyOperation() async throws {
        let bench = try await FirebaseBench()
        let other = try await Other(bench)
        let id = try await bench.addUser("ada@example.com")
        let session = try await bench.signIn("ada@example.com")
        let token = session["idToken"] ?? ""
        for (operation, body) in [
            ("lookup", ["idToken": token]), ("update", ["idToken": token, "displayName": "x"]),
            ("update", ["idToken": token, "password": "Another-horse-8-battery"]), ("delete", ["idToken": token]),
            ("sendOobCode", ["idToken": token, "requestType": "VERIFY_EMAIL"]),
            (
                "sendOobCode",
                ["idToken": token, "requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": "b@example.com"]
            ),
            ("signUp", ["idToken": token, "email": "ada@example.com", "password": "Another-horse-8-battery"]),
        ] as [(String, JSONObject)] {
            let reply = try await bench.call(operation, body, key: other.key)
            #expect(reply.code == "INVALID_ID_TOKEN", "\(operation): \(reply.text)")
        }
        let refresh = session["refreshToken"]?.stringValue ?? ""
        for text in [refresh, "default~" + refresh, "other~" + refresh] {
            #expect(try await bench.refresh(text, key: other.key).code == "INVALID_REFRESH_TOKEN")
        }

        _ = try await bench.call("sendOobCode", ["requestType": "PASSWORD_RESET", "email": "ada@example.com"])
        let link = try await bench.mail("ada@example.com", kind: "recovery").link
        let code: JSONValue = .string(FirebaseBench.parameter("oobCode", of: link) ?? "")
        for body in [
            ["oobCode": code], ["oobCode": code, "newPassword": "Another-horse-8-battery"],
        ] as [JSONObject] {
            let reply = try await bench.call("resetPassword", body, key: other.key)
            #expect(reply.code == "INVALID_OOB_CODE", "\(reply.text)")
        }

        for rest in ["/accounts:update", "/accounts:delete"] {
            let reply = try await bench.administer(
                rest, ["localId": .string(id)], token: other.secret, project: "other")
            #expect(reply.code == "USER_NOT_FOUND", "\(rest): \(reply.text)")
        }
        let looked = try await bench.administer(
            "/accounts:lookup", ["localId": [.string(id)], "email": ["ada@example.com"]], token: other.secret,
            project: "other")
        #expect(looked["users"] == nil)
        let listed = try await bench.administer(
            "/accounts:batchGet", method: .get, token: other.secret, project: "other")
        #expect(listed["users"] == nil)
        let deleted = try await bench.administer(
            "/accounts:batchDelete", ["localIds": [.string(id)], "force": true], token: other.secret,
            project: "other")
        #expect(deleted.status == 200)

        #expect(try await bench.call("lookup", ["idToken": token]).status == 200)
        #expect(try await bench.refresh(refresh).status == 200)
        #expect(try await bench.call("resetPassword", ["oobCode": code]).status == 200)
    }

    @Test("One address is two users in two projects, each with their own password")
    func sameAddress() async throws {
        let bench = try await FirebaseBench()
        let other = try await Other(bench)
        let id = try await bench.addUser("ada@example.com")
        let made = try await bench.administer(
            "/accounts",
            ["email": "ada@example.com", "password": "Another-horse-8-battery", "emailVerified": true],
            token: other.secret, project: "other")
        #expect(made.status == 200 && made["localId"]?.stringValue != id, "\(made.text)")
        let reply = try await bench.call(
            "signInWithPassword", ["email": "ada@example.com", "password": .string(FirebaseBench.password)],
            key: other.key)
        #expect(reply.code == "INVALID_LOGIN_CREDENTIALS")
        let session = try await bench.call(
            "signInWithPassword", ["email": "ada@example.com", "password": "Another-horse-8-battery"],
            key: other.key)
        let claims = try FirebaseBench.claims(session["idToken"]?.stringValue)
        #expect(claims["aud"] == "other" && claims["iss"] == "https://securetoken.google.com/other")
        let body: JSONObject = ["idToken": session["idToken"] ?? ""]
        #expect(try await bench.call("lookup", body).code == "INVALID_ID_TOKEN")
        #expect(try await bench.call("lookup", body, key: other.key).status == 200)
    }

    @Test("The body's project counts only for its own operator, at the operations without a project in the path")
    func targetProject() async throws {
        let bench = try await FirebaseBench()
        let other = try await Other(bench)
        let id = try await bench.addUser("ada@example.com")
        func lookup(_ project: String?, _ token: String) async throws -> FirebaseBench.Reply {
            var body: JSONObject = ["localId": [.string(id)]]
            body["target_project_id"] = project.map { .string($0) }
            return try await bench.send(
                .post, "/www.googleapis.com/identitytoolkit/v3/relyingparty/getAccountInfo",
                body: JSONValue.object(body).text, headers: [.authorization: "Bearer " + token])
        }
        for project in [nil, "default"] {
            #expect(try await lookup(project, bench.secret)["users"]?.arrayValue?.count == 1)
        }
        #expect(try await lookup("other", bench.secret).status == 403)
        #expect(try await lookup("default", other.secret).status == 403)
        #expect(try await lookup(nil, other.secret)["users"] == nil)
        #expect(try await lookup("default", "owner").status == 401)
    }
}
