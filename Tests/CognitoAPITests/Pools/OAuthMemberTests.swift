// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("What app clients may do on a pool's pages") struct OAuthMemberTests {
    private static let enabled: JSONObject = [
        "AllowedOAuthFlowsUserPoolClient": true, "AllowedOAuthFlows": ["code"], "AllowedOAuthScopes": ["openid"],
        "CallbackURLs": ["https://app.example/"],
    ]
    private static let machine: JSONObject = [
        "AllowedOAuthFlowsUserPoolClient": true, "AllowedOAuthFlows": ["client_credentials"],
        "AllowedOAuthScopes": ["api/read"], "GenerateSecret": true,
    ]

    private func bench() async throws -> CognitoBench {
        let bench = try await CognitoBench()
        _ = try await bench.done(
            "CreateResourceServer",
            [
                "UserPoolId": .string(bench.poolID), "Identifier": "api", "Name": "API",
                "Scopes": [
                    ["ScopeName": "read", "ScopeDescription": "Reads"],
                    ["ScopeName": "write", "ScopeDescription": "Writes"],
                ],
            ])
        return bench
    }

    private static func faults(pool: String) -> [(JSONObject, String)] {
        let required =
            "InvalidParameterException: AllowedOAuthFlows and AllowedOAuthScopes are required if user pool client is "
            + "allowed to use OAuth flows."
        let oneFlow =
            "InvalidOAuthFlowException: client_credentials flow can not be selected along with code flow or implicit "
            + "flow."
        return [
            (enabled.merging(["AllowedOAuthFlows": []]), required),
            (enabled.merging(["AllowedOAuthScopes": .null]), required),
            (["AllowedOAuthFlowsUserPoolClient": true], required),
            (machine.merging(["AllowedOAuthFlows": ["code", "client_credentials"]]), oneFlow),
            (machine.merging(["AllowedOAuthFlows": ["client_credentials", "implicit"]]), oneFlow),
            (
                machine.merging(["GenerateSecret": false]),
                "InvalidOAuthFlowException: client_credentials flow can not be selected if client does not have a "
                    + "client secret."
            ),
            (
                machine.merging(["AllowedOAuthScopes": ["api/read", "email"]]),
                "InvalidOAuthFlowException: email is not supported with client_credentials flow"
            ),
            (
                enabled.merging(["CallbackURLs": []]),
                "InvalidOAuthFlowException: CallbackUrls can not be empty when code flow or implicit flow is selected"
            ),
            (
                enabled.merging(["AllowedOAuthScopes": ["openid", "api/delete"]]),
                "ScopeDoesNotExistException: Invalid scope requested: api/delete"
            ),
            (
                enabled.merging(["AllowedOAuthScopes": ["Cognito"]]),
                "ScopeDoesNotExistException: Invalid scope requested: Cognito"
            ),
            (
                enabled.merging(["AllowedOAuthScopes": ["api"]]),
                "ScopeDoesNotExistException: Invalid scope requested: api"
            ),
            (
                enabled.merging(["CallbackURLs": ["http://app.example/back"]]),
                "InvalidParameterException: http://app.example/back cannot use the HTTP protocol."
            ),
            (
                enabled.merging(["CallbackURLs": ["http://localhost.evil.example/"]]),
                "InvalidParameterException: http://localhost.evil.example/ cannot use the HTTP protocol."
            ),
            (
                enabled.merging(["LogoutURLs": ["http://10.0.0.1/"]]),
                "InvalidParameterException: http://10.0.0.1/ cannot use the HTTP protocol."
            ),
            (
                enabled.merging(["CallbackURLs": ["https://app.example/#a"]]),
                "InvalidParameterException: https://app.example/#a cannot use fragment"
            ),
            (
                enabled.merging(["DefaultRedirectURI": "https://app.example/other"]),
                "InvalidParameterException: The default redirect URI https://app.example/other is not in the callback "
                    + "URIs list."
            ),
            (
                enabled.merging(["SupportedIdentityProviders": ["COGNITO", "Google"]]),
                "InvalidParameterException: The provider Google does not exist for User Pool \(pool)."
            ),
        ]
    }

    @Test("R11.6 what a client may not be given is refused in the service's words, new or changed")
    func refused() async throws {
        let bench = try await bench()
        let pool = JSONValue.string(bench.poolID)
        let open = try await bench.makeClient(Self.enabled)
        let closed = try await bench.makeClient(Self.machine)
        for (members, said) in Self.faults(pool: bench.poolID) {
            let new: JSONObject = ["UserPoolId": pool, "ClientName": "x"]
            let made = try await bench.send("CreateUserPoolClient", new.merging(members))
            #expect(made.status == 400 && made.refusal == said, "\(members.text): \(made.refusal)")
            // A change is judged by the secret that the client has.
            let client = members["GenerateSecret"] == true ? closed : open
            let named: JSONObject = ["UserPoolId": pool, "ClientId": client["ClientId"] ?? .null]
            let changed = try await bench.send("UpdateUserPoolClient", named.merging(members))
            #expect(changed.status == 400 && changed.refusal == said, "\(members.text): \(changed.refusal)")
            let shown = try await bench.done("DescribeUserPoolClient", named)["UserPoolClient"]?.objectValue
            #expect(shown == client, "\(members.text)")
        }
        #expect(
            try await bench.done("ListUserPoolClients", ["UserPoolId": pool]).names("UserPoolClients", "ClientId")
                .count == 2)
    }

    @Test("R11.6 bad values of these members are refused, and nothing is registered")
    func malformed() async throws {
        let bench = try await bench()
        let long = String(repeating: "a", count: 1020)
        let bad: [JSONObject] = [
            ["CallbackURLs": [.string("https://app.example/" + long)]], ["CallbackURLs": [""]], ["CallbackURLs": [7]],
            ["CallbackURLs": "https://app.example/"], ["CallbackURLs": ["https://app.example/ x"]],
            ["CallbackURLs": ["javascript:alert(1)"]], ["CallbackURLs": ["https://a@app.example/"]],
            ["CallbackURLs": .array((0...100).map { .string("https://app.example/\($0)") })],
            ["LogoutURLs": ["data:text/html,x"]],
            ["LogoutURLs": .array((0...100).map { .string("https://a.b/\($0)") })],
            ["AllowedOAuthScopes": ["a b"]], ["AllowedOAuthScopes": [""]], ["AllowedOAuthScopes": ["a\"b"]],
            ["AllowedOAuthScopes": .array((0...50).map { .string("s\($0)") })],
            ["AllowedOAuthFlows": ["token"]], ["AllowedOAuthFlowsUserPoolClient": "true"],
            ["SupportedIdentityProviders": [""]],
            ["SupportedIdentityProviders": [.string(String(repeating: "a", count: 33))]],
            ["DefaultRedirectURI": ""], ["DefaultRedirectURI": "nonsense"],
        ]
        for members in bad {
            let body: JSONObject = ["UserPoolId": .string(bench.poolID), "ClientName": "x"]
            let reply = try await bench.send("CreateUserPoolClient", body.merging(members))
            #expect(
                reply.status == 400
                    && ["InvalidParameterException", "SerializationException"].contains(reply.exception),
                "\(members.text.prefix(80)): \(reply.refusal)")
        }
        let list = try await bench.done("ListUserPoolClients", ["UserPoolId": .string(bench.poolID)])
        #expect(list["UserPoolClients"] == [])
    }

    @Test("R11.6 RFC 8252 7: places on this machine and apps' own schemes are taken, each once, in their order")
    func places() async throws {
        let bench = try await bench()
        let places: JSONValue = [
            "http://localhost:3000/back", "http://127.0.0.1/", "myapp://callback", "https://app.example/", "com.app:/x",
            "http://[::1]:80/",
        ]
        let twice = JSONValue.array((places.arrayValue ?? []) + (places.arrayValue ?? []))
        let made = try await bench.makeClient(Self.enabled.merging(["CallbackURLs": twice, "LogoutURLs": twice]))
        #expect(made["CallbackURLs"] == places && made["LogoutURLs"] == places)
    }

    @Test("R11.6 a scope that goes with its resource server goes from the clients that had it")
    func scopes() async throws {
        let bench = try await bench()
        let made = try await bench.makeClient(
            Self.enabled.merging(["AllowedOAuthScopes": ["openid", "api/write", "api/read"]]))
        #expect(made["AllowedOAuthScopes"] == ["openid", "api/write", "api/read"])
        let named: JSONObject = ["UserPoolId": .string(bench.poolID), "ClientId": made["ClientId"] ?? .null]
        func shown() async throws -> JSONValue? {
            try await bench.done("DescribeUserPoolClient", named)["UserPoolClient"]?.objectValue?["AllowedOAuthScopes"]
        }
        let api: JSONObject = ["UserPoolId": .string(bench.poolID), "Identifier": "api"]
        _ = try await bench.done(
            "UpdateResourceServer",
            api.merging(["Name": "API", "Scopes": [["ScopeName": "write", "ScopeDescription": "Writes"]]]))
        #expect(try await shown() == ["openid", "api/write"])
        let id = ClientID(made["ClientId"]?.stringValue ?? "")
        #expect(
            try await bench.dialect.clients.client(id, at: bench.now)?.settings.authorization.scopes
                == ["openid", "api/write"])
        _ = try await bench.done("DeleteResourceServer", api)
        #expect(try await shown() == ["openid"])
    }
}
