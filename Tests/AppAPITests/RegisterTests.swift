// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import TestBench
import Testing

@testable import AppAPI

@Suite("The user's own profile")
struct RegisterTests {
    private struct World {
        let bench: AppBench
        let ada: User
        let token: String

        init() async throws {
            bench = try await AppBench()
            ada = try await bench.addUser("ada@example.com")
            token = try await bench.signIn(ada)
        }

        func register(_ body: JSONObject) async throws -> (status: HTTPResponse.Status, json: JSONObject) {
            let answer = try await bench.send(.post, "/v1/users/register", token: token, body: body)
            return (answer.status, answer.json)
        }

        func stored() async throws -> User {
            let (id, directory) = (ada.id, bench.directory.id)
            let user = try await bench.ports.store.read { try $0.user(id, in: directory) }
            return try #require(user)
        }
    }

    @Test("Y-K1 the user is named as their token names them, and by our own identifier beside it")
    func names() async throws {
        let world = try await World()
        let me = try await world.bench.send(.get, "/v1/me", token: world.token).json
        #expect(me["sub"]?.stringValue == world.ada.id.rawValue && me["id"] == me["sub"])
        let registered = try await world.register(["name": "Ada"]).json
        #expect(registered["sub"] == me["sub"] && registered["name"]?.stringValue == "Ada")
    }

    @Test("F-7 an avatar is the picture, and may not be another one than a picture beside it")
    func avatars() async throws {
        let world = try await World()
        let url = "https://cdn.example/ada.png"
        #expect(try await world.register(["avatar": .string(url)]).json["picture"]?.stringValue == url)
        #expect(try await world.register(["avatar": .string(url), "picture": .string(url)]).status == .ok)
        let two = try await world.register(["avatar": .string(url), "picture": "https://cdn.example/eve.png"])
        #expect(two.status == .badRequest && two.json["field"]?.stringValue == "avatar")
        #expect(try await world.register(["avatar": "http://cdn.example/ada.png"]).status == .badRequest)
        let me = try await world.bench.send(.get, "/v1/me", token: world.token).json
        #expect(me["picture"]?.stringValue == url)
        #expect(try await world.register(["avatar": .null]).json["picture"] == .null)
    }

    @Test("F-7 the user's own address changes nothing; another one is asked for by message and stored once proved")
    func addresses() async throws {
        let world = try await World()
        let same = try await world.register(["email": "Ada@Example.com", "name": "Ada"])
        #expect(same.status == .ok && same.json["name"]?.stringValue == "Ada")
        #expect(try await world.bench.mail.messages(to: "ada@example.com").isEmpty)

        let other = try await world.register(["email": "ada@other.example"])
        #expect(other.status == .ok && other.json["email"]?.stringValue == "ada@example.com")
        let user = try await world.stored()
        #expect(user.email?.rawValue == "ada@example.com" && user.pendingEmail?.rawValue == "ada@other.example")
        #expect(try await !world.bench.mail.messages(to: "ada@other.example").isEmpty)
    }

    @Test(
        "F-7 a bad address, or a bad profile beside a good address, does nothing",
        arguments: [
            ["email": "no address"], ["email": .null], ["email": 7], ["email": "a@b.example", "role": "admin"],
        ]
            as [JSONObject])
    func refusals(body: JSONObject) async throws {
        let world = try await World()
        #expect(try await world.register(body).status == .badRequest)
        let user = try await world.stored()
        #expect(user.pendingEmail == nil && user.version == world.ada.version)
    }
}
