// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import CognitoAPI

@Suite struct PageTests {
    private static func page(_ token: JSONValue?, _ limit: Int64 = 0) throws -> Page {
        var json: JSONObject = ["Limit": .integer(limit)]
        json["NextToken"] = token
        return try Page(Input(json), of: ["groups"], limit: "Limit", token: .nextToken)
    }

    /// All pages of a list after one another.
    private static func walk(_ all: [String], _ limit: Int64 = 0) throws -> [String] {
        var seen: [String] = []
        var token: JSONValue?
        repeat {
            let (entries, next) = try page(token, limit).cut(all) { $0 }
            #expect(entries.count <= (limit == 0 ? 60 : Int(limit)))
            seen += entries
            token = next
        } while token != nil && seen.count <= all.count
        return seen
    }

    @Test("A page's token leads behind its last entry, and through the whole list")
    func pages() throws {
        let all = (0..<130).map { "group-" + String(1000 + $0) }
        #expect(try Self.walk(all) == all)
        #expect(throws: WireError.self) { try Self.page("%%%") }
    }

    @Test("R10.4 names that are one letter written in two ways are two entries, whatever order the list comes in")
    func octets() throws {
        // "é" in one scalar and in two: equal as texts, and apart in the store, where "z" stands between them.
        let all = ["e\u{301}", "z", "\u{E9}", "\u{10FFFF}", "\u{FB01}"]
        for list in [all, all.reversed(), all.sorted()] {
            let seen = try Self.walk(list, 1).map { Array($0.utf8) }
            #expect(seen.count == all.count)
            #expect(Set(seen) == Set(all.map { Array($0.utf8) }))
        }
    }

    private struct Lists {
        let bench: CognitoBench
        let pool: JSONValue

        init() async throws {
            bench = try await CognitoBench()
            pool = .string(bench.poolID)
            for number in 0..<3 {
                _ = try await bench.done(
                    "AdminCreateUser",
                    ["UserPoolId": pool, "Username": .string("user\(number)"), "MessageAction": "SUPPRESS"])
            }
            for name in ["a", "b"] {
                _ = try await bench.done("CreateGroup", ["UserPoolId": pool, "GroupName": .string(name)])
                for number in 0..<2 {
                    _ = try await bench.done(
                        "AdminAddUserToGroup",
                        ["UserPoolId": pool, "Username": .string("user\(number)"), "GroupName": .string(name)])
                }
            }
        }

        func ask(_ operation: String, _ members: JSONObject) async throws -> CognitoBench.Reply {
            let limited: JSONObject = ["UserPoolId": pool, "Limit": 1]
            return try await bench.send(operation, limited.merging(members))
        }
    }

    @Test("R70 the token of a list of users goes on in the list of this filter alone")
    func filters() async throws {
        let lists = try await Lists()
        let filter: JSONObject = ["Filter": #"username ^= "user""#]
        let first = try await lists.ask("ListUsers", filter)
        let token = try #require(first.json["PaginationToken"])
        let second = try await lists.ask("ListUsers", filter.merging(["PaginationToken": token]))
        let names = first.json.names("Users", "Username") + second.json.names("Users", "Username")
        #expect(second.status == 200 && names.count == 2 && Set(names).count == 2, "\(names)")
        for members: JSONObject in [[:], ["Filter": #"username ^= "u""#], ["Filter": #"status = "Enabled""#]] {
            let reply = try await lists.ask("ListUsers", members.merging(["PaginationToken": token]))
            #expect(
                reply.refusal == "InvalidParameterException: Invalid pagination token",
                "\(members.text): \(reply.refusal)")
        }
    }

    @Test("R70 the token of one list is none of another")
    func otherLists() async throws {
        let lists = try await Lists()
        let asked: [(operation: String, members: JSONObject)] = [
            ("ListGroups", [:]), ("AdminListGroupsForUser", ["Username": "user0"]),
            ("AdminListGroupsForUser", ["Username": "user1"]), ("ListUsersInGroup", ["GroupName": "a"]),
            ("ListUsersInGroup", ["GroupName": "b"]),
        ]
        var tokens: [JSONValue] = []
        for (operation, members) in asked {
            tokens.append(try #require(try await lists.ask(operation, members).json["NextToken"], "\(operation)"))
        }
        for (index, (operation, members)) in asked.enumerated() {
            for (other, token) in tokens.enumerated() {
                let reply = try await lists.ask(operation, members.merging(["NextToken": token]))
                #expect(
                    other == index
                        ? reply.status == 200 : reply.refusal == "InvalidParameterException: Invalid pagination token",
                    "\(operation) \(members.text) by \(other): \(reply.refusal)")
            }
        }
    }
}
