// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

@Suite("Projects by the Management API") struct ProjectTests {
    private static let projects = "/api.supabase.com/v1/projects"

    @Test("D-7 a project is made, listed, used by its own keys, and deleted")
    func life() async throws {
        let bench = try await SupabaseBench()
        let made = try await bench.send(.post, Self.projects, ["name": "My Shop"], token: bench.service)
        #expect(made.status == 201 && made["name"] == "My Shop")
        #expect(
            made.names == ["id", "ref", "name", "organization_id", "region", "status", "created_at"])
        let ref = try #require(made["ref"]?.stringValue)
        #expect(ref.hasPrefix("my-shop-") && made["id"] == .string(ref))
        let listed = try JSONValue(parsing: try await bench.send(.get, Self.projects, token: bench.service).text.utf8)
        #expect(listed.arrayValue?.count == 2)
        let keys = try JSONValue(
            parsing: try await bench.send(.get, Self.projects + "/\(ref)/api-keys", token: bench.service).text.utf8)
        let anon = try #require(keys.arrayValue?.first?.objectValue?["api_key"]?.stringValue)
        #expect(try await bench.send(.get, "/directories/\(ref)/auth/v1/settings", key: anon).status == 200)
        let deleted = try await bench.send(.delete, Self.projects + "/\(ref)", token: bench.service)
        #expect(deleted.status == 200 && deleted["ref"] == .string(ref))
        #expect(try await bench.send(.get, Self.projects + "/\(ref)", token: bench.service).status == 404)
        #expect(try await bench.send(.get, "/directories/\(ref)/auth/v1/settings", key: anon).status == 404)
    }

    @Test("V8.2.1 the Management API is for the operator of the default Directory alone, and never ends it")
    func access() async throws {
        let bench = try await SupabaseBench()
        let other = try await DirectoryAdministration(bench.accounts.ports).create(
            name: "other", at: bench.accounts.now)
        let keys = try await ProjectKeyIssuer(for: other, keys: bench.accounts.keys, at: bench.accounts.now)
        for token in [nil, "x", bench.anon, keys.serviceRole.reveal()] {
            let reply = try await bench.send(.get, Self.projects, token: token)
            #expect(reply.status == 401 && reply.names == ["message"])
        }
        #expect(try await bench.send(.delete, Self.projects + "/default", token: bench.service).status == 400)
        for body in ["{}", #"{"name":""}"#, #"{"name":1}"#] {
            let reply = try await bench.send(.post, Self.projects, raw: body, token: bench.service)
            #expect((400..<500).contains(reply.status), "\(reply.status)")
        }
    }
}
