// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Testing

@testable import FirebaseAPI

@Suite struct PageTokenTests {
    private func makeTenant(_ bench: FirebaseBench, _ title: String) async throws -> String {
        let made = try await bench.administer("/tenants", ["displayName": .string(title)], version: "v2")
        let name = try #require(made["name"]?.stringValue, "\(made.text)")
        return String(name.split(separator: "/").last ?? "")
    }

    @Test("R70 an export with a page token that is none is refused, and not told that it has everybody")
    func users() async throws {
        let bench = try await FirebaseBench()
        for index in 0..<3 { try await bench.addUser("user\(index)@example.com") }
        let tenant = try await makeTenant(bench, "North")
        let page = try await bench.administer("/accounts:batchGet?maxResults=2", method: .get)
        let token = try #require(page["nextPageToken"]?.stringValue, "\(page.text)")
        let ids = page["users"]?.arrayValue?.compactMap { $0.objectValue?["localId"]?.stringValue } ?? []
        for text in [String(token.dropLast()), token + "A", "z" + token, "zzz", "~", ids.last ?? ""] {
            for path in ["/accounts:batchGet", "/tenants/\(tenant)/accounts:batchGet"] {
                let reply = try await bench.administer(path + "?nextPageToken=" + text, method: .get)
                #expect(reply.status == 400 && reply.code == "INVALID_PAGE_SELECTION", "\(text): \(reply.text)")
            }
            let legacy = try await bench.send(
                .post, "/www.googleapis.com/identitytoolkit/v3/relyingparty/downloadAccount",
                body: JSONValue.object(["targetProjectId": "default", "nextPageToken": .string(text)]).text,
                headers: [.authorization: "Bearer " + bench.secret])
            #expect(legacy.status == 400 && legacy.code == "INVALID_PAGE_SELECTION", "\(text): \(legacy.text)")
        }
        let elsewhere = try await bench.administer(
            "/tenants/\(tenant)/accounts:batchGet?nextPageToken=" + token, method: .get)
        #expect(elsewhere.code == "INVALID_PAGE_SELECTION", "a token of the project's list: \(elsewhere.text)")
        let first = try await bench.administer("/accounts:batchGet?nextPageToken=", method: .get)
        #expect(first["users"]?.arrayValue?.count == 3, "\(first.text)")
    }

    @Test("R70 lists of tenants and of providers know their own page tokens, and sizes that are numbers")
    func configurations() async throws {
        let bench = try await FirebaseBench()
        for title in ["North", "South"] { _ = try await makeTenant(bench, title) }
        let page = try await bench.administer("/tenants?pageSize=1", method: .get, version: "v2")
        let token = try #require(page["nextPageToken"]?.stringValue, "\(page.text)")
        for path in ["/tenants", "/oauthIdpConfigs", "/inboundSamlConfigs", "/defaultSupportedIdpConfigs"] {
            for text in [String(token.dropLast()), "zzz", path == "/tenants" ? "north" : token] {
                let reply = try await bench.administer(path + "?pageToken=" + text, method: .get, version: "v2")
                #expect(
                    reply.status == 400 && reply.code == "INVALID_PAGE_SELECTION", "\(path) \(text): \(reply.text)")
            }
            for size in ["x", "1.5", "-1", "99999999999999999999"] {
                let reply = try await bench.administer(path + "?pageSize=" + size, method: .get, version: "v2")
                #expect(reply.status == 400, "\(path) \(size): \(reply.text)")
            }
            for size in ["", "0", "2000"] {
                let reply = try await bench.administer(path + "?pageSize=" + size, method: .get, version: "v2")
                #expect(reply.status == 200 && reply["nextPageToken"] == nil, "\(path) \(size): \(reply.text)")
            }
        }
    }
}
