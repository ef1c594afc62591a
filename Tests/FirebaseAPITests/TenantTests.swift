// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Testing

@testable import FirebaseAPI

@Suite struct TenantTests {
    private func makeTenant(_ bench: FirebaseBench, _ title: String = "North") async throws -> String {
        let reply = try await bench.administer(
            "/tenants", ["displayName": .string(title), "allowPasswordSignup": true], version: "v2")
        #expect(reply.status == 200, "\(reply.text)")
        let name = try #require(reply["name"]?.stringValue)
        #expect(name.hasPrefix("projects/default/tenants/\(title.lowercased())-"))
        return String(name.split(separator: "/").last ?? "")
    }

    @Test("Tenants are made, listed, changed and deleted")
    func life() async throws {
        let bench = try await FirebaseBench()
        let first = try await makeTenant(bench, "North")
        let second = try await makeTenant(bench, "South")
        _ = try await DirectoryAdministration(bench.ports).create(name: "unrelated", at: bench.now)
        let page = try await bench.administer("/tenants?pageSize=1", method: .get, version: "v2")
        #expect(page["tenants"]?.arrayValue?.count == 1)
        let token = try #require(page["nextPageToken"]?.stringValue)
        let rest = try await bench.administer("/tenants?pageToken=\(token)", method: .get, version: "v2")
        #expect(rest["tenants"]?.arrayValue?.count == 1 && rest["nextPageToken"] == nil)
        let got = try await bench.administer("/tenants/" + first, method: .get, version: "v2")
        #expect(got["displayName"] == "North" && got["allowPasswordSignup"] == true)
        let patched = try await bench.administer(
            "/tenants/\(first)?updateMask=allowPasswordSignup", ["allowPasswordSignup": false, "displayName": "Other"],
            method: .patch, version: "v2")
        #expect(patched["displayName"] == "North" && patched["allowPasswordSignup"] == nil, "\(patched.text)")
        #expect(try await bench.administer("/tenants/" + second, method: .delete, version: "v2").status == 200)
        for name in [second, "unrelated", "default", "nobody"] {
            let reply = try await bench.administer("/tenants/" + name, method: .get, version: "v2")
            #expect(reply.code == "TENANT_NOT_FOUND", "\(name): \(reply.text)")
        }
        for title in ["abc", "1abcd", "with space", String(repeating: "x", count: 21), "grüß"] {
            let reply = try await bench.administer("/tenants", ["displayName": .string(title)], version: "v2")
            #expect(reply.code == "INVALID_DISPLAY_NAME", "\(title)")
        }
    }

    @Test("A tenant's users are its own: project, tenants and other tenants see nothing of one another")
    func isolation() async throws {
        let bench = try await FirebaseBench()
        let north = try await makeTenant(bench, "North")
        let south = try await makeTenant(bench, "South")
        let user: JSONObject = [
            "email": "ada@example.com", "password": .string(FirebaseBench.password), "emailVerified": true,
        ]
        let created = try await bench.administer("/tenants/\(north)/accounts", user)
        let id = try #require(created["localId"]?.stringValue, "\(created.text)")
        for rest in ["/accounts:lookup", "/tenants/\(south)/accounts:lookup"] {
            #expect(try await bench.administer(rest, ["localId": [.string(id)]])["users"] == nil, "\(rest)")
            #expect(try await bench.administer(rest, ["email": ["ada@example.com"]])["users"] == nil, "\(rest)")
        }
        for rest in ["/accounts:update", "/accounts:delete", "/tenants/\(south)/accounts:delete"] {
            #expect(try await bench.administer(rest, ["localId": .string(id)]).code == "USER_NOT_FOUND", "\(rest)")
        }
        #expect(
            try await bench.administer("/tenants/\(north)/accounts:lookup", ["localId": [.string(id)]])["users"]?
                .arrayValue?.first?.objectValue?["tenantId"]?.stringValue == north)
        #expect(try await bench.signIn("ada@example.com").code == "INVALID_LOGIN_CREDENTIALS")
        for (tenant, code) in [(north, nil), (south, "INVALID_LOGIN_CREDENTIALS"), ("nobody", "INVALID_TENANT_ID")] {
            let reply = try await bench.call(
                "signInWithPassword",
                [
                    "email": "ada@example.com", "password": .string(FirebaseBench.password),
                    "tenantId": .string(tenant),
                ])
            #expect(reply.code == code, "\(tenant): \(reply.text)")
        }
    }

    @Test("A tenant's token is the project's, names the tenant, and is taken without naming it")
    func tokens() async throws {
        let bench = try await FirebaseBench()
        let north = try await makeTenant(bench, "North")
        let south = try await makeTenant(bench, "South")
        _ = try await bench.administer(
            "/tenants/\(north)/accounts",
            ["email": "ada@example.com", "password": .string(FirebaseBench.password), "emailVerified": true])
        let session = try await bench.call(
            "signInWithPassword",
            [
                "email": "ada@example.com", "password": .string(FirebaseBench.password), "tenantId": .string(north),
            ])
        let claims = try FirebaseBench.claims(session["idToken"]?.stringValue)
        #expect(claims["aud"] == "default" && claims["iss"] == "https://securetoken.google.com/default")
        #expect(claims["firebase"]?.objectValue?["tenant"]?.stringValue == north)
        let token = session["idToken"] ?? ""
        let looked = try await bench.call("lookup", ["idToken": token])
        #expect(looked["users"]?.arrayValue?.first?.objectValue?["tenantId"]?.stringValue == north, "\(looked.text)")
        #expect(
            try await bench.call("lookup", ["idToken": token, "tenantId": .string(south)]).code
                == "TENANT_ID_MISMATCH")
        let refreshed = try await bench.refresh(session["refreshToken"]?.stringValue ?? "")
        #expect(refreshed["project_id"] == "default", "\(refreshed.text)")
        let again = try FirebaseBench.claims(refreshed["id_token"]?.stringValue)
        #expect(again["firebase"]?.objectValue?["tenant"]?.stringValue == north)

        // A token of the project itself is none of a tenant's.
        try await bench.addUser("eve@example.com")
        let own = try await bench.signIn("eve@example.com")["idToken"] ?? ""
        #expect(
            try await bench.call("lookup", ["idToken": own, "tenantId": .string(north)]).code
                == "TENANT_ID_MISMATCH")
    }

    @Test("A tenant's own key is for that tenant alone")
    func keys() async throws {
        let bench = try await FirebaseBench()
        let north = try await makeTenant(bench, "North")
        let south = try await makeTenant(bench, "South")
        let directory = try await DirectoryAdministration(bench.ports).get(named: north)
        let secret = try await APIKeyAdministration(bench.ports).create(
            .secret, name: "x", in: directory, at: bench.now
        ).secret.reveal()
        for (rest, status) in [
            ("/tenants/\(north)/accounts:lookup", 200), ("/tenants/\(south)/accounts:lookup", 403),
            ("/accounts:lookup", 403),
        ] {
            #expect(try await bench.administer(rest, token: secret).status == status, "\(rest)")
        }
        for method in [HTTPRequest.Method.get, .delete] {
            let reply = try await bench.administer("/tenants/" + south, method: method, token: secret, version: "v2")
            #expect(reply.status == 403, "\(method)")
        }
        #expect(
            try await bench.administer("/accounts:lookup", token: secret, project: north).status == 403)
    }
}
