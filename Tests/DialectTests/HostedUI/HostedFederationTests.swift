// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import CognitoAPI
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

/// The hosted UI with other people's identity providers behind it.
@Suite struct HostedFederationTests {
    private static let back = "/oauth2/idpresponse"

    /// - Parameters:
    ///   - offered: what the app client offers.
    ///   - mapping: of Google's claims.
    private static func bench(
        _ offered: [String] = ["COGNITO", "Google"], mapping: JSONObject = ["email": "email", "username": "sub"]
    ) async throws -> (HostedBench, ScriptedIdentityProviders, client: String) {
        let upstream = ScriptedIdentityProviders()
        let bench = try await HostedBench(identityProviders: upstream)
        for name in ["Google", "Facebook"] {
            let made = try await bench.operation(
                "CreateIdentityProvider",
                [
                    "UserPoolId": .string(bench.poolID), "ProviderName": .string(name), "ProviderType": .string(name),
                    "ProviderDetails": [
                        "client_id": "g-1", "client_secret": "s-1", "authorize_scopes": "openid email",
                    ],
                    "AttributeMapping": .object(mapping), "IdpIdentifiers": [.string(name.lowercased() + ".example")],
                ])
            #expect(made.status == 200, "\(made.text)")
        }
        let client = try await bench.makeClient([
            "SupportedIdentityProviders": .array(offered.map { .string($0) }),
            "ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"],
        ])
        return (bench, upstream, try #require(client["ClientId"]?.stringValue))
    }

    private static func proof(
        _ bench: HostedBench, _ subject: String = "1234", email: String? = "grace@gmail.com", vouched: Bool = true,
        claims: JSONObject = [:]
    ) throws -> FederatedProof {
        FederatedProof(
            provider: "google", issuer: "https://accounts.google.com", subject: subject, audience: "g-1",
            email: try email.map { try EmailAddress($0) }, isEmailVouched: vouched, claims: claims,
            expiresAt: bench.now + .hours(1))
    }

    /// Follows what leads on within the server, as a browser does.
    private static func follow(_ first: HTTPBench.Reply, in browser: HostedBrowser) async throws -> HTTPBench.Reply {
        var reply = first
        for _ in 0..<6 {
            guard let place = reply.location, place.hasPrefix("/") else { return reply }
            reply = try await browser.get(place)
        }
        return reply
    }

    /// Leaves for the provider, and comes back with `answer`.
    private static func come(
        _ browser: HostedBrowser, _ bench: HostedBench, _ upstream: ScriptedIdentityProviders, client: String,
        _ answer: [(String, String)] = [("code", "good")],
        _ changes: [String: String?] = ["identity_provider": "Google"]
    ) async throws -> HTTPBench.Reply {
        let left = try await follow(try await browser.authorize(bench.request(client, changes)), in: browser)
        #expect(left.location?.hasPrefix("https://google.example/authorize?") == true, "\(left.status) \(left.text)")
        let request = try #require(upstream.requests.last)
        #expect(request.redirectURI == HostedBench.url + back)
        return try await follow(
            try await browser.get(back, [("state", request.state)] + answer), in: browser)
    }

    private static func attributes(
        _ bench: HostedBench, _ username: String, pool: String? = nil
    ) async throws -> [String: String] {
        let user = try await bench.operation(
            "AdminGetUser", ["UserPoolId": .string(pool ?? bench.poolID), "Username": .string(username)])
        let list = user.json["UserAttributes"]?.arrayValue?.compactMap(\.objectValue) ?? []
        let pairs = list.compactMap { entry in
            entry["Name"]?.stringValue.flatMap { name in entry["Value"]?.stringValue.map { (name, $0) } }
        }
        return Dictionary(pairs + [("UserStatus", user.json["UserStatus"]?.stringValue ?? "")]) { first, _ in first }
    }

    @Test(
        "R12.6 who comes by Google has tokens as the service writes them: name, group, identities; and is shown so to operators"
    )
    func tokens() async throws {
        let (bench, upstream, client) = try await Self.bench()
        upstream.vouch(try Self.proof(bench), by: "good")
        let browser = HostedBrowser(bench)
        let done = try await Self.come(browser, bench, upstream, client: client)
        let code = try #require(done.answer["code"], "\(done.status) \(done.text) \(done.location ?? "")")
        #expect(done.answer["state"] == "s t&=ä")
        let answer = try await bench.exchange(code, client)
        let claims = try await bench.claims(answer.text("id_token"))
        #expect(claims["cognito:username"] == "Google_1234" && claims["email"] == "grace@gmail.com")
        #expect(claims["cognito:groups"] == [.string(bench.poolID + "_Google")])
        let identity = try #require(claims["identities"]?.arrayValue?.first?.objectValue)
        #expect(
            identity == [
                "userId": "1234", "providerName": "Google", "providerType": "Google", "issuer": .null,
                "primary": "true", "dateCreated": .string(String(bench.now.microseconds / 1000)),
            ])
        let access = try await bench.claims(answer.text("access_token"))
        #expect(access["username"] == "Google_1234" && access["identities"] == nil)
        let shown = try await Self.attributes(bench, "Google_1234")
        #expect(shown["UserStatus"] == "EXTERNAL_PROVIDER" && shown["sub"] == claims["sub"]?.stringValue)
        #expect(shown["identities"]?.contains("\"primary\":true") == true)
        let list = try await bench.operation(
            "ListUsers",
            ["UserPoolId": .string(bench.poolID), "Filter": "cognito:user_status = \"EXTERNAL_PROVIDER\""])
        #expect(list.json["Users"]?.arrayValue?.count == 1)
        // A refresh says the same.
        let again = try await bench.refresh(answer.text("refresh_token"), ["client_id": client], headers: [:])
        let later = try await bench.claims(again.text("id_token"))
        #expect(later["identities"] == claims["identities"] && later["cognito:groups"] == claims["cognito:groups"])
        // Signed in: the next request leads to no provider.
        let silent = try await browser.authorize(bench.request(client, ["identity_provider": nil, "prompt": "none"]))
        #expect(silent.answer["code"] != nil)
    }

    @Test("R12.6 a name that somebody has chosen is theirs, whatever a provider's user would be called")
    func names() async throws {
        let (bench, upstream, client) = try await Self.bench()
        try await bench.addUser("chosen@example.com", name: "google_1234")
        upstream.vouch(try Self.proof(bench), by: "good")
        let done = try await Self.come(HostedBrowser(bench), bench, upstream, client: client)
        let claims = try await bench.claims(
            try await bench.exchange(try #require(done.answer["code"]), client).text("id_token"))
        #expect(claims["cognito:username"] == claims["sub"] && claims["email"] == "grace@gmail.com")
        #expect(try await Self.attributes(bench, "Google_1234")["email"] == "chosen@example.com")
    }

    @Test(
        "R12.6 AdminLinkProviderForUser: the next federated sign-in is that user, by their own name and without the group"
    )
    func linked() async throws {
        let (bench, upstream, client) = try await Self.bench()
        let linked = try await bench.operation(
            "AdminLinkProviderForUser",
            [
                "UserPoolId": .string(bench.poolID),
                "DestinationUser": ["ProviderName": "Cognito", "ProviderAttributeValue": "ada"],
                "SourceUser": [
                    "ProviderName": "Google", "ProviderAttributeName": "Cognito_Subject",
                    "ProviderAttributeValue": "1234",
                ],
            ])
        #expect(linked.status == 200, "\(linked.text)")
        upstream.vouch(try Self.proof(bench, email: "somebody@gmail.com"), by: "good")
        let done = try await Self.come(HostedBrowser(bench), bench, upstream, client: client)
        let claims = try await bench.claims(
            try await bench.exchange(try #require(done.answer["code"]), client).text("id_token"))
        #expect(claims["cognito:username"] == "ada" && claims["email"] == "ada@example.com")
        #expect(claims["cognito:groups"] == nil)
        #expect(claims["identities"]?.arrayValue?.first?.objectValue?["primary"] == "false")
        #expect(try await Self.attributes(bench, "ada")["UserStatus"] == "CONFIRMED")
    }

    @Test("R12.6 mapped claims are written at each sign-in, as the pool's schema has them, and an immutable one once")
    func mapping() async throws {
        let upstream = ScriptedIdentityProviders()
        let bench = try await HostedBench(identityProviders: upstream)
        let pool: JSONObject = ["UserPoolId": .string(bench.poolID)]
        for (name, type, isMutable) in [("dept", "String", true), ("level", "Number", true), ("born", "String", false)]
        {
            let added = try await bench.operation(
                "AddCustomAttributes",
                pool.merging([
                    "CustomAttributes": [
                        [
                            "Name": .string(name), "AttributeDataType": .string(type), "Mutable": .bool(isMutable),
                            (type == "Number" ? "NumberAttributeConstraints" : "StringAttributeConstraints"):
                                type == "Number" ? ["MaxValue": "9"] : ["MaxLength": "8"],
                        ]
                    ]
                ]))
            #expect(added.status == 200, "\(added.text)")
        }
        let made = try await bench.operation(
            "CreateIdentityProvider",
            pool.merging([
                "ProviderName": "Google", "ProviderType": "Google",
                "ProviderDetails": ["client_id": "g-1", "client_secret": "s-1", "authorize_scopes": "openid email"],
                "AttributeMapping": [
                    "email": "email", "email_verified": "verified", "nickname": "nick", "custom:dept": "dept",
                    "custom:level": "level", "custom:born": "born", "made_up": "dept", "name": "name",
                    "phone_number": "phone",
                ],
            ]))
        #expect(made.status == 200, "\(made.text)")
        let client = try #require(
            try await bench.makeClient(["SupportedIdentityProviders": ["Google"]])["ClientId"]?.stringValue)
        func come(_ claims: JSONObject) async throws -> [String: String] {
            upstream.vouch(try Self.proof(bench, vouched: false, claims: claims), by: "good")
            let done = try await Self.come(HostedBrowser(bench), bench, upstream, client: client)
            #expect(done.answer["code"] != nil, "\(done.text)")
            return try await Self.attributes(bench, "Google_1234")
        }
        let first = try await come([
            "nick": "Amazing", "dept": "Navy", "level": 7, "born": "1906", "verified": true, "name": "Grace Hopper",
            "phone": "+4930123456",
        ])
        #expect(first["nickname"] == "Amazing" && first["custom:dept"] == "Navy" && first["custom:level"] == "7")
        #expect(first["custom:born"] == "1906" && first["made_up"] == nil && first["name"] == "Grace Hopper")
        #expect(first["email_verified"] == "false", "the provider does not vouch, whatever is mapped")
        #expect(first["phone_number"] == "+4930123456" && first["phone_number_verified"] == "false")
        let later = try await come([
            "dept": "Much too long for it", "level": 10, "born": "1907", "nick": "", "name": "Rear Admiral",
        ])
        #expect(later["custom:dept"] == "Navy" && later["custom:level"] == "7" && later["nickname"] == "Amazing")
        #expect(later["custom:born"] == "1906" && later["name"] == "Rear Admiral")
    }

    @Test(
        "R12.6 a no, an outage and what is missing go back to the app at its callback URL, with its state and no code",
        arguments: [
            ([("error", "access_denied")], "access_denied", "cancelled"),
            ([("code", "down")], "invalid_request", "IdP"),
            ([("code", "bad")], "invalid_request", "Invalid token"),
            ([("code", "nobody")], "invalid_request", "attributes required: [email]"),
        ] as [([(String, String)], String, String)])
    func refusals(answer: [(String, String)], error: String, text: String) async throws {
        let (bench, upstream, client) = try await Self.bench(["Google"])
        upstream.refuse("down", with: .identityProviderUnavailable)
        upstream.refuse("bad", with: .identityTokenInvalid)
        upstream.vouch(try Self.proof(bench, email: nil), by: "nobody")
        let browser = HostedBrowser(bench)
        let done = try await Self.come(browser, bench, upstream, client: client, answer)
        #expect(done.location?.hasPrefix(HostedBench.redirectURI + "?") == true, "\(done.status) \(done.text)")
        #expect(done.answer["error"] == error && done.answer["state"] == "s t&=ä" && done.answer["code"] == nil)
        #expect(done.answer["error_description"]?.contains(text) == true, "\(done.answer)")
        // And may try again, in the same browser.
        upstream.vouch(try Self.proof(bench), by: "good")
        #expect(try await Self.come(browser, bench, upstream, client: client).answer["code"] != nil)
    }

    @Test("R12.6 a pool that declares its attributes has none of a mapping to another, and all of the others")
    func undeclared() async throws {
        let upstream = ScriptedIdentityProviders()
        let bench = try await HostedBench(identityProviders: upstream)
        let made = try await bench.operation(
            "CreateUserPool",
            [
                "PoolName": "Declared",
                "Schema": [["Name": "dept", "AttributeDataType": "String", "Mutable": true]],
            ])
        let pool = try #require(made.json["UserPool"]?.objectValue?["Id"]?.stringValue, "\(made.text)")
        let provider = try await bench.operation(
            "CreateIdentityProvider",
            [
                "UserPoolId": .string(pool), "ProviderName": "Google", "ProviderType": "Google",
                "ProviderDetails": ["client_id": "g-1", "client_secret": "s", "authorize_scopes": "openid email"],
                "AttributeMapping": [
                    "email": "email", "custom:dept": "dept", "custom:none": "dept", "made_up": "dept",
                    "nickname": "nick",
                ],
            ])
        #expect(provider.status == 200, "\(provider.text)")
        let app = try await bench.makeClient([
            "UserPoolId": .string(pool), "SupportedIdentityProviders": ["Google"], "AllowedOAuthScopes": ["openid"],
        ])
        let client = try #require(app["ClientId"]?.stringValue)
        upstream.vouch(try Self.proof(bench, claims: ["dept": "Navy", "nick": "Amazing"]), by: "good")
        let done = try await Self.come(HostedBrowser(bench), bench, upstream, client: client)
        #expect(done.answer["code"] != nil, "\(done.answer)")
        let kept = try await Self.attributes(bench, "Google_1234", pool: pool)
        #expect(kept["custom:dept"] == "Navy" && kept["nickname"] == "Amazing" && kept["email"] == "grace@gmail.com")
        #expect(kept["custom:none"] == nil && kept["made_up"] == nil)
    }

    @Test("R12.6 an attribute that the pool requires and the provider does not say makes no account")
    func required() async throws {
        let upstream = ScriptedIdentityProviders()
        let bench = try await HostedBench(identityProviders: upstream)
        let made = try await bench.operation(
            "CreateUserPool",
            [
                "PoolName": "Strict",
                "Schema": [
                    ["Name": "email", "Required": true, "Mutable": true],
                    ["Name": "nickname", "Required": true, "Mutable": true],
                ],
            ])
        let pool = try #require(made.json["UserPool"]?.objectValue?["Id"]?.stringValue, "\(made.text)")
        for (operation, members) in [
            (
                "CreateIdentityProvider",
                [
                    "ProviderName": "Google", "ProviderType": "Google",
                    "ProviderDetails": ["client_id": "g-1", "client_secret": "s", "authorize_scopes": "openid email"],
                    "AttributeMapping": ["email": "email", "nickname": "nick"],
                ] as JSONObject
            )
        ] {
            let reply = try await bench.operation(operation, members.merging(["UserPoolId": .string(pool)]))
            #expect(reply.status == 200, "\(reply.text)")
        }
        let app = try await bench.makeClient([
            "UserPoolId": .string(pool), "SupportedIdentityProviders": ["Google"], "AllowedOAuthScopes": ["openid"],
        ])
        let client = try #require(app["ClientId"]?.stringValue)
        upstream.vouch(try Self.proof(bench), by: "bare")
        let browser = HostedBrowser(bench)
        let refused = try await Self.come(browser, bench, upstream, client: client, [("code", "bare")])
        #expect(refused.answer["error_description"] == "attributes required: [nickname]", "\(refused.answer)")
        let none = try await bench.operation("ListUsers", ["UserPoolId": .string(pool)])
        #expect(none.json["Users"] == [])
        upstream.vouch(try Self.proof(bench, claims: ["nick": "Amazing"]), by: "whole")
        let done = try await Self.come(browser, bench, upstream, client: client, [("code", "whole")])
        #expect(done.answer["code"] != nil, "\(done.answer)")
    }

    @Test(
        "R12.6 a pool whose users administrators make lets in who comes by a provider, unless that is closed to newcomers"
    )
    func administrators() async throws {
        let upstream = ScriptedIdentityProviders()
        let bench = try await HostedBench(identityProviders: upstream)
        let made = try await bench.operation(
            "CreateUserPool",
            ["PoolName": "Closed", "AdminCreateUserConfig": ["AllowAdminCreateUserOnly": true]])
        let pool = try #require(made.json["UserPool"]?.objectValue?["Id"]?.stringValue, "\(made.text)")
        let provider = try await bench.operation(
            "CreateIdentityProvider",
            [
                "UserPoolId": .string(pool), "ProviderName": "Google", "ProviderType": "Google",
                "ProviderDetails": ["client_id": "g-1", "client_secret": "s", "authorize_scopes": "openid email"],
            ])
        #expect(provider.status == 200, "\(provider.text)")
        let app = try await bench.makeClient([
            "UserPoolId": .string(pool), "SupportedIdentityProviders": ["Google"], "AllowedOAuthScopes": ["openid"],
        ])
        let client = try #require(app["ClientId"]?.stringValue)
        upstream.vouch(try Self.proof(bench), by: "good")
        let done = try await Self.come(HostedBrowser(bench), bench, upstream, client: client)
        #expect(done.answer["code"] != nil, "\(done.answer)")
        var call = bench.accounts.call(actor: .administrator("test"))
        let id = try #require(bench.cognito.directoryID(ofPool: pool))
        call.directory = try #require(try await bench.accounts.flows.directories.directory(id, at: bench.now))
        _ = try await bench.accounts.flows.identityProviderAdministration.update("google", call: call) {
            $0.signUpAllowed = false
        }
        upstream.vouch(try Self.proof(bench, "5678", email: "new@gmail.com"), by: "new")
        let closed = try await Self.come(
            HostedBrowser(bench), bench, upstream, client: client, [("code", "new")])
        #expect(closed.answer["error"] == "invalid_request" && closed.answer["code"] == nil, "\(closed.answer)")
    }

    @Test(
        "R12.6 idp_identifier leads to the provider that has it; one that nobody has, or beside another, leads nowhere")
    func identifier() async throws {
        let (bench, upstream, client) = try await Self.bench()
        upstream.vouch(try Self.proof(bench), by: "good")
        let done = try await Self.come(
            HostedBrowser(bench), bench, upstream, client: client, [("code", "good")],
            ["identity_provider": nil, "idp_identifier": "google.example"])
        #expect(done.answer["code"] != nil)
        for changes in [
            ["identity_provider": nil, "idp_identifier": "nobody.example"],
            // The pool has it, and the app client has not.
            ["identity_provider": nil, "idp_identifier": "facebook.example"],
            ["identity_provider": "Facebook"], ["identity_provider": "google"],
            ["identity_provider": "Google", "idp_identifier": "google.example"],
        ] as [[String: String?]] {
            let reply = try await HostedBrowser(bench).authorize(bench.request(client, changes))
            #expect(reply.status == 400 && reply.location == nil, "\(changes)")
        }
    }

    @Test(
        "R12.6 an app client without the pool itself: one provider is gone to at once, of several there are buttons alone"
    )
    func withoutPool() async throws {
        let (bench, upstream, client) = try await Self.bench(["Google"])
        let browser = HostedBrowser(bench)
        let left = try await Self.follow(
            try await browser.authorize(bench.request(client, ["identity_provider": nil])), in: browser)
        #expect(left.location?.hasPrefix("https://google.example/") == true && upstream.requests.count == 1)
        let asked = try await browser.authorize(bench.request(client, ["identity_provider": "COGNITO"]))
        #expect(asked.status == 400)
        let two = try #require(
            try await bench.makeClient(["SupportedIdentityProviders": ["Google", "Facebook"]])["ClientId"]?.stringValue)
        for path in ["/oauth2/authorize", "/login", "/signup", "/forgotPassword"] {
            let page = try await Self.follow(
                try await browser.get(path, bench.request(two, ["identity_provider": nil])), in: browser)
            #expect(page.status == 200 && !page.text.contains("<form") && !page.text.contains("password"), "\(path)")
            for name in ["google", "facebook"] { #expect(page.text.contains("name=\(name)"), "\(path) \(name)") }
        }
    }

    @Test("R12.6 a password, typed past the page or before, is no way to an app client of providers alone")
    func passwordRefused() async throws {
        let (bench, upstream, client) = try await Self.bench(["Google", "Facebook"])
        // Signed in by password for another client, or on the account's own page.
        let browser = try await bench.signedIn()
        #expect(try await bench.code(browser).isEmpty == false)
        let plain = bench.request(client, ["identity_provider": nil])
        let asked = try await browser.authorize(plain)
        #expect(asked.page == "/account/sign-in" && asked.answer["code"] == nil)
        let silent = try await browser.authorize(bench.request(client, ["identity_provider": nil, "prompt": "none"]))
        #expect(silent.answer["error"] == "login_required")
        // The forms are refused for it, right as they may be.
        let request = try #require(asked.answer["request"])
        for (path, fields) in [
            ("/sign-in", [("identifier", "ada"), ("password", AccountBench.password)]),
            ("/sign-up", [("identifier", "new@example.com"), ("newPassword", AccountBench.password)]),
            ("/forgot", [("identifier", "ada@example.com")]),
        ] {
            let reply = try await browser.submit(path, request: request, fields)
            #expect(reply.status >= 400 && reply.headers[.setCookie] == nil, "\(path) \(reply.status)")
        }
        // By the provider it is open, and the browser is then whoever that vouched for.
        upstream.vouch(try Self.proof(bench), by: "good")
        #expect(try await Self.come(browser, bench, upstream, client: client).answer["code"] != nil)
    }

    @Test(
        "R12.6 R11.5 the place to come back to leads a form on without cookies, repeats nothing else, and never elsewhere"
    )
    func returning() async throws {
        let (bench, upstream, client) = try await Self.bench()
        upstream.vouch(try Self.proof(bench), by: "good")
        let browser = HostedBrowser(bench)
        _ = try await Self.follow(
            try await browser.authorize(bench.request(client, ["identity_provider": "Google"])), in: browser)
        let state = try #require(upstream.requests.last?.state)
        let posted = try await bench.post(
            Self.back, [("state", state), ("code", "good"), ("user", "{}"), ("next", "https://evil.example")],
            headers: [.origin: "https://google.example"])
        #expect(posted.status == 303 && posted.headers[.setCookie] == nil)
        let place = try #require(posted.location)
        #expect(place.hasPrefix("/account/provider/return?") && !place.contains("evil"))
        // Another browser's is worth nothing, and is not used up by it.
        #expect(try await HostedBrowser(bench).get(place).status == 410)
        #expect(try await Self.follow(try await browser.get(place), in: browser).answer["code"] != nil)
        for query in ["", "?state=x&code=y", "?state=\(state)&state=\(state)", "?error=x", "?state=%00"] {
            let reply = try await browser.get(Self.back + query)
            #expect(reply.status < 500 && reply.location?.hasPrefix("/account/") ?? true, "\(query) \(reply.status)")
        }
        let other = try await bench.send(.get, Self.back, headers: [.origin: "https://app.example"])
        #expect(other.headers[.accessControlAllowOrigin] == nil)
    }
}
