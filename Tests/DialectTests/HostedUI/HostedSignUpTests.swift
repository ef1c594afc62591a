// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import CognitoAPI
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

/// Signing up on the pages of a pool that wants more of its users than an address.
@Suite struct HostedSignUpTests {
    /// A pool of user names, which wants an address, a name, a number and a date.
    private static func pool(
        _ bench: HostedBench, _ members: JSONObject = [:]
    ) async throws -> (pool: String, client: String) {
        let usual: JSONObject = [
            "PoolName": "Named", "AutoVerifiedAttributes": ["email"],
            "Schema": [
                ["Name": "birthdate", "Required": true, "Mutable": true],
                ["Name": "email", "Required": true, "Mutable": true],
                ["Name": "given_name", "Required": true, "Mutable": true],
                ["Name": "phone_number", "Required": true, "Mutable": true],
            ],
        ]
        let made = try await bench.operation("CreateUserPool", usual.merging(members))
        let pool = try #require(made.json["UserPool"]?.objectValue?["Id"]?.stringValue, "\(made.text)")
        let client = try await bench.makeClient([
            "UserPoolId": .string(pool), "AllowedOAuthScopes": ["openid", "email", "profile"],
        ])
        return (pool, try #require(client["ClientId"]?.stringValue))
    }

    private static let good = [
        ("username", "ada"), ("email", "Ada@Example.com"), ("given_name", "Ada"), ("phone_number", "+4930123456"),
        ("birthdate", "1815-12-10"), ("newPassword", AccountBench.password),
    ]

    /// Opens the page, and says which request it is of.
    private static func open(
        _ bench: HostedBench, _ client: String, in browser: HostedBrowser
    ) async throws -> (request: String, page: HTTPBench.Reply) {
        let led = try await browser.get("/signup", bench.request(client))
        let place = try #require(led.location)
        return (try #require(led.answer["request"]), try await browser.get(place))
    }

    @Test("R11.6 R11.4 the page asks for the pool's user name and what it requires, by labels, types and autocomplete")
    func fields() async throws {
        let bench = try await HostedBench()
        let (_, client) = try await Self.pool(bench)
        let browser = HostedBrowser(bench)
        let (_, page) = try await Self.open(bench, client, in: browser)
        let order = ["username", "email", "phone_number", "given_name", "birthdate", "newPassword"]
        let found = page.text.split(separator: "<input id=\"").dropFirst().map {
            String($0.prefix { $0 != "\"" })
        }
        #expect(found == order, "\(found)")
        for part in [
            "autocomplete=\"username\"", "type=\"email\" autocomplete=\"email\"", "type=\"tel\" autocomplete=\"tel\"",
            "autocomplete=\"given-name\" maxlength=\"2048\"", "type=\"date\" autocomplete=\"bday\"", "First name",
            "Date of birth",
            "autocomplete=\"new-password\"",
        ] {
            #expect(page.text.contains(part), "\(part)")
        }
        let german = try await browser.get(
            try #require(
                page.text.split(separator: "\"").first {
                    $0.hasPrefix("/") && $0.contains("language=de")
                }
            ).description.replacing("&amp;", with: "&"))
        #expect(german.text.contains("Vorname") && german.text.contains("Geburtsdatum"), "\(german.status)")
    }

    @Test(
        "R11.6 R11.4 who signs up by a name confirms by the code that went to the address, and is on the way to the app"
    )
    func wholeWay() async throws {
        let bench = try await HostedBench()
        let (pool, client) = try await Self.pool(bench)
        let browser = HostedBrowser(bench)
        let (request, _) = try await Self.open(bench, client, in: browser)
        let sent = try await browser.submit("/sign-up", request: request, Self.good)
        let confirm = try await browser.get(try #require(sent.location, "\(sent.text)"))
        #expect(confirm.text.contains("ada@example.com") && confirm.text.contains("name=\"code\""), "\(confirm.text)")
        let directory = try #require(bench.cognito.directoryID(ofPool: pool))
        let message = try await bench.accounts.ports.store.read {
            try $0.outbox(in: directory, recipient: "ada@example.com", limit: 9).first
        }
        let ticket = try #require(sent.answer["ticket"])
        let code = try #require(message?.code)
        let wrong = try await browser.submit("/confirm?ticket=\(ticket)", request: request, [("code", "000000")])
        #expect(wrong.status == 400)
        let done = try await browser.submit("/confirm?ticket=\(ticket)", request: request, [("code", code)])
        #expect(done.status == 303, "\(done.text)")
        let back = try await browser.get(try #require(done.location))
        let answer = try await bench.exchange(try #require(back.answer["code"], "\(back.text)"), client)
        let tokens = answer.json
        #expect(answer.status == 200, "\(answer.text)")
        let user = try await bench.operation("AdminGetUser", ["UserPoolId": .string(pool), "Username": "ada"])
        let listed = user.json["UserAttributes"]?.arrayValue?.compactMap(\.objectValue) ?? []
        func value(_ name: String) -> String? {
            listed.first { $0["Name"]?.stringValue == name }?["Value"]?.stringValue
        }
        #expect(user.json["Username"] == "ada")
        #expect(value("email") == "ada@example.com" && value("email_verified") == "true", "\(user.text)")
        #expect(value("given_name") == "Ada" && value("birthdate") == "1815-12-10")
        #expect(value("phone_number") == "+4930123456" && value("phone_number_verified") == "false")
        #expect(user.json["UserStatus"] == "CONFIRMED" && tokens["id_token"] != nil)
    }

    @Test("R11.6 R11.5 what is missing or no value of the attribute is said at its field, and nobody is signed up")
    func refused() async throws {
        let bench = try await HostedBench()
        let (pool, client) = try await Self.pool(bench)
        let browser = HostedBrowser(bench)
        let (request, _) = try await Self.open(bench, client, in: browser)
        let long = String(repeating: "x", count: 2049)
        for (name, value) in [
            ("username", ""), ("username", " "), ("username", "a b"), ("username", "a@b.example"),
            ("username", "+49301"),
            ("username", long), ("email", ""), ("email", "nobody"), ("email", long + "@example.com"),
            ("given_name", "  "), ("given_name", long),
            ("phone_number", "030 123"), ("phone_number", "+1"), ("birthdate", "10.12.1815"),
            ("birthdate", "1815-12-10x"),
            ("newPassword", "short"), ("newPassword", ""),
        ] {
            let fields = Self.good.map { $0.0 == name ? (name, value) : $0 }
            let reply = try await browser.submit("/sign-up", request: request, fields)
            #expect(reply.status == 400 && reply.text.contains("id=\"\(name)-refusal\""), "\(name)=\(value.prefix(20))")
            #expect(!reply.text.contains("<script>") && reply.location == nil)
        }
        let all = try await browser.submit("/sign-up", request: request, [("newPassword", AccountBench.password)])
        for name in ["username", "email", "phone_number", "given_name", "birthdate"] {
            #expect(
                all.text.contains("id=\"\(name)-refusal\" ") || all.text.contains("id=\"\(name)-refusal\">"), "\(name)")
        }
        #expect(all.text.contains("role=\"alert\""))
        let none = try await bench.operation("ListUsers", ["UserPoolId": .string(pool)])
        #expect(none.json["Users"] == [])
        _ = try await browser.submit("/sign-up", request: request, Self.good)
        let taken = try await browser.submit("/sign-up", request: request, Self.good)
        #expect(taken.status == 400 && taken.text.contains("id=\"username-refusal\""), "\(taken.text)")
    }

    @Test("R11.6 a pool of addresses asks for the address once, and for what else it requires")
    func addresses() async throws {
        let bench = try await HostedBench()
        let (pool, client) = try await Self.pool(
            bench,
            [
                "UsernameAttributes": ["email"],
                "Schema": [
                    ["Name": "email", "Required": true, "Mutable": true],
                    ["Name": "nickname", "Required": true, "Mutable": true],
                ],
            ])
        let browser = HostedBrowser(bench)
        let (request, page) = try await Self.open(bench, client, in: browser)
        #expect(page.text.contains("name=\"identifier\"") && page.text.contains("name=\"nickname\""))
        #expect(!page.text.contains("name=\"username\"") && !page.text.contains("name=\"email\""))
        let fields = [("identifier", "ada@example.com"), ("newPassword", AccountBench.password)]
        let bare = try await browser.submit("/sign-up", request: request, fields)
        #expect(bare.status == 400 && bare.text.contains("id=\"nickname-refusal\""))
        let sent = try await browser.submit("/sign-up", request: request, fields + [("nickname", "Countess")])
        #expect(sent.status == 303, "\(sent.text)")
        let directory = try #require(bench.cognito.directoryID(ofPool: pool))
        let message = try await bench.accounts.ports.store.read {
            try $0.outbox(in: directory, recipient: "ada@example.com", limit: 9).first
        }
        let done = try await browser.submit(
            "/confirm?ticket=\(try #require(sent.answer["ticket"]))", request: request,
            [("code", try #require(message?.code))])
        #expect(done.status == 303)
        let user = try await bench.operation(
            "AdminGetUser", ["UserPoolId": .string(pool), "Username": "ada@example.com"])
        #expect(user.text.contains("Countess"), "\(user.text)")
    }

    @Test("R11.6 where the pool confirms nobody by a message, the page says who does")
    func unconfirmed() async throws {
        let bench = try await HostedBench()
        let (pool, client) = try await Self.pool(bench, ["AutoVerifiedAttributes": []])
        let browser = HostedBrowser(bench)
        let (request, _) = try await Self.open(bench, client, in: browser)
        let made = try await browser.submit("/sign-up", request: request, Self.good)
        #expect(made.status == 200 && made.text.contains("administrator"), "\(made.text)")
        let user = try await bench.operation("AdminGetUser", ["UserPoolId": .string(pool), "Username": "ada"])
        #expect(user.json["UserStatus"] == "UNCONFIRMED")
    }
}
