// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import TestBench
import TestBenchHTTP
import Testing

@testable import OpenIDProvider

/// What the provider says of itself, and that each word of it is so.
@Suite struct MetadataTests {
    @Test(
        "R11.1 Discovery, section 4, and RFC 8414, section 3: one document at both places, whose issuer is the URL asked for",
        arguments: ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"])
    func places(path: String) async throws {
        let bench = try await ProviderBench()
        let reply = try await bench.get(path)
        #expect(reply.status == 200)
        #expect(try await bench.get("/.well-known/openid-configuration").json == reply.json)
        #expect(reply[header: "content-type"] == "application/json")
        #expect(reply["issuer"] == .string(ProviderBench.url))
        #expect(reply["jwks_uri"] == .string(ProviderBench.url + "/.well-known/jwks.json"))
        // RFC 8414, section 3.2: a list of nothing is left out.
        #expect(reply.json.members.allSatisfy { $0.value.arrayValue?.isEmpty != true })
        #expect(reply["id_token_signing_alg_values_supported"]?.arrayValue?.contains("RS256") == true)
    }

    @Test(
        "R11.1 Discovery, section 4.3, and RFC 8414, section 3.1: another Directory has its issuer below its own path")
    func directories() async throws {
        let bench = try await ProviderBench()
        let other = try await bench.accounts.flows.directoryAdministration.create(
            name: "other", settings: DirectorySettings(), at: bench.now)
        let issuer = ProviderBench.url + "/directories/other"
        for path in [
            "/directories/other/.well-known/openid-configuration",
            "/.well-known/oauth-authorization-server/directories/other",
        ] {
            let reply = try await bench.get(path)
            #expect(reply["issuer"] == .string(issuer), "\(path): \(reply.text)")
            #expect(reply["jwks_uri"] == .string(issuer + "/.well-known/jwks.json"))
            #expect(reply["token_endpoint"] == .string(ProviderBench.url + "/oauth2/token"))
        }
        #expect(try await bench.get("/directories/nobody/.well-known/openid-configuration").status == 404)
        // Their keys are their own, and so are their clients' tokens.
        let mine = try JWKSet(parsing: try await bench.get("/.well-known/jwks.json").text.utf8)
        let theirs = try JWKSet(parsing: try await bench.get("/directories/other/.well-known/jwks.json").text.utf8)
        #expect(Set(mine.keys.map(\.keyID)).isDisjoint(with: theirs.keys.map(\.keyID)))
        let client = try await ProviderBench.addClient("Theirs", .secretBasic, to: bench.accounts, in: other)
        let secret = try #require(client.secrets.first?.text?.reveal())
        let token = try await bench.post(
            "/oauth2/token", [("grant_type", "client_credentials")],
            headers: ProviderBench.basic(client.id.rawValue, secret))
        let claims = try await bench.claims(
            token["access_token"]?.stringValue, at: "/directories/other/.well-known/jwks.json")
        #expect(claims["iss"] == .string(issuer))
        #expect(try await bench.introspect(token["access_token"]?.stringValue) == ["active": false])
    }

    @Test(
        "R11.1 Core, section 10.1, and RFC 7517: every key has a name of its own, is for signatures, and shows no secret"
    )
    func keys() async throws {
        let bench = try await ProviderBench()
        let reply = try await bench.get("/.well-known/jwks.json")
        let keys = try #require(reply["keys"]?.arrayValue).compactMap(\.objectValue)
        #expect(Set(keys.compactMap { $0["kid"]?.stringValue }).count == keys.count)
        #expect(keys.allSatisfy { $0["d"] == nil && $0["k"] == nil && $0["use"] != "enc" })
        #expect(Set(keys.compactMap { $0["kty"]?.stringValue }) == ["RSA", "EC"])
    }

    /// Every member, and what is asked to see that it is so. A member that is not here fails the test: who advertises
    /// more says how it is known.
    @Test("R11.1 what the metadata names is built: each thing is asked for")
    func advertised() async throws {
        let bench = try await ProviderBench()
        // So that there is nothing which is advertised at times alone.
        _ = try await bench.accounts.flows.initialAccessTokens.create(name: "CI", call: bench.accounts.call())
        let metadata = try await bench.get("/.well-known/openid-configuration").json
        #expect(metadata["registration_endpoint"] != nil)
        let browser = try await bench.signedIn()
        func list(_ name: String) -> [String] { metadata[name]?.arrayValue?.compactMap(\.stringValue) ?? [] }
        for member in metadata.members {
            switch member.name {
            case "issuer": #expect(member.value == .string(ProviderBench.url))
            case let name where name.hasSuffix("_endpoint") || name == "jwks_uri":
                let path = try #require(member.value.stringValue).dropFirst(ProviderBench.url.count)
                let answers = [try await bench.get(String(path)), try await bench.post(String(path), [])]
                #expect(answers.contains { $0.status != 404 && $0.status != 405 }, "\(name)")
                #expect(answers.allSatisfy { $0.status < 500 }, "\(name)")
            case "scopes_supported":
                for scope in list(member.name) {
                    let reply = try await bench.tokens(browser, nil, ["scope": "openid " + scope])
                    #expect(reply["scope"]?.stringValue?.split(separator: " ").contains(Substring(scope)) == true)
                }
            case "claims_supported":
                let reply = try await bench.tokens(browser, nil, ["scope": "openid profile email phone"])
                let info = try await bench.get(
                    "/oauth2/userInfo", headers: ProviderBench.bearer(reply["access_token"]?.stringValue))
                let known = try await bench.claims(reply["id_token"]?.stringValue).names + info.json.names
                // Of what this user does not have.
                let absent = ["preferred_username", "locale", "phone_number", "phone_number_verified"]
                for claim in list(member.name) where !absent.contains(claim) {
                    #expect(known.contains(claim), "\(claim)")
                }
            case "claims_parameter_supported":
                let reply = try await bench.tokens(browser, nil, ["claims": #"{"id_token":{"email":null}}"#])
                #expect(try await bench.claims(reply["id_token"]?.stringValue)["email"] == "ada@example.com")
            case "response_types_supported":
                for type in list(member.name) { _ = try await bench.code(browser, nil, ["response_type": type]) }
            case "response_modes_supported":
                for mode in list(member.name) {
                    let reply = try await browser.authorize(bench.request(nil, ["response_mode": mode]))
                    #expect(reply.answer["code"] != nil || reply.text.contains(#"name="code""#), "\(mode)")
                }
            case "grant_types_supported":
                for grant in list(member.name) {
                    let reply = try await bench.post("/oauth2/token", [("grant_type", grant)], headers: bench.basic)
                    #expect(reply.error != "unsupported_grant_type", "\(grant)")
                }
            case "subject_types_supported":
                #expect(member.value == ["public"])
                let tokens = [try await bench.tokens(browser), try await bench.tokens(browser, bench.app)]
                var subjects: Set<JSONValue?> = []
                for reply in tokens { subjects.insert(try await bench.claims(reply["id_token"]?.stringValue)["sub"]) }
                #expect(subjects == [.string(bench.user.id.rawValue)])
            case "acr_values_supported":
                for acr in list(member.name) {
                    let address = "\(acr)@example.com"
                    let user = try await ProviderBench.addUser(address, to: bench.accounts)
                    let surer = try await bench.signedIn(address)
                    if acr == AssuranceLevel.aal2.acr {
                        try await bench.addApp(to: user)
                        try await bench.showFactor(surer, of: user)
                    }
                    let reply = try await bench.tokens(surer, nil, ["acr_values": acr])
                    #expect(try await bench.claims(reply["id_token"]?.stringValue)["acr"] == .string(acr))
                }
            case "id_token_signing_alg_values_supported":
                for algorithm in list(member.name) {
                    let client = try await ProviderBench.addClient("Signed", .publicClient, to: bench.accounts) {
                        $0.authorization.idTokenAlgorithm = .init(rawValue: algorithm) ?? .rs256
                    }
                    let token = try await bench.tokens(browser, client)["id_token"]?.stringValue
                    #expect(try ProviderBench.header(token).algorithm.rawValue == algorithm)
                    _ = try await bench.claims(token)
                }
            case let name where name.hasSuffix("_endpoint_auth_methods_supported"):
                for method in list(name) {
                    let reply = try await Self.proved(by: method, at: name.prefix { $0 != "_" }, metadata, bench)
                    #expect(reply.status != 401, "\(name) \(method): \(reply.text)")
                }
            case let name where name.hasSuffix("_endpoint_auth_signing_alg_values_supported"):
                for algorithm in list(name) {
                    let reply = try await Self.proved(
                        by: "private_key_jwt", JWSAlgorithm(rawValue: algorithm), at: name.prefix { $0 != "_" },
                        metadata, bench)
                    #expect(reply.status != 401, "\(name) \(algorithm): \(reply.text)")
                }
            case "code_challenge_methods_supported": #expect(member.value == ["S256"])
            case "dpop_signing_alg_values_supported":
                for name in list(member.name) {
                    let key = try ProofKey(bench, JWSAlgorithm(rawValue: name))
                    let reply = try await bench.post(
                        "/oauth2/token", [("grant_type", "client_credentials")],
                        headers: try key.headers(and: bench.basic))
                    #expect(reply["token_type"] == "DPoP", "\(name)")
                }
            case "prompt_values_supported":
                for prompt in list(member.name) {
                    let reply = try await browser.authorize(bench.request(nil, ["prompt": prompt]))
                    #expect(reply.status == 303 && reply.answer["error"] == nil, "\(prompt)")
                }
            case "ui_locales_supported": #expect(list(member.name) == MessageLanguage.allCases.map(\.rawValue))
            case "authorization_response_iss_parameter_supported":
                #expect(try await browser.authorize(bench.request()).answer["iss"] == ProviderBench.url)
            case "backchannel_logout_supported", "backchannel_logout_session_supported":
                #expect(member.value == true)
                #expect(try await BackchannelLogoutTests.posted()["sid"]?.stringValue?.isEmpty == false)
            // One that asks for it is held to it: RequestObjectTests.
            case "require_signed_request_object":
                #expect(member.value == false)
                #expect(try await browser.authorize(bench.request()).answer["code"] != nil)
            case "request_uri_parameter_supported": #expect(member.value == false)
            case "request_parameter_supported": #expect(member.value == true)
            case "request_object_signing_alg_values_supported":
                #expect(list(member.name) == ClientAuthorization.RequestAlgorithm.allCases.map(\.rawValue))
                for algorithm in list(member.name) {
                    let signer = try await RequestSigner(bench, JWSAlgorithm(rawValue: algorithm))
                    let reply = try await browser.authorize(signer.form())
                    #expect(reply.answer["code"] != nil, "\(algorithm)")
                }
            default: Issue.record("nobody asks for \(member.name)")
            }
        }
    }

    /// A call of the endpoint whose metadata begin so, by a new client that shows in one way who it is. A wrong proof,
    /// or one that is not taken there, would be `401`.
    private static func proved(
        by method: String, _ algorithm: JWSAlgorithm = .es256, at endpoint: Substring, _ metadata: JSONObject,
        _ bench: ProviderBench
    ) async throws -> HTTPBench.Reply {
        let url = try #require(metadata["\(endpoint)_endpoint"]?.stringValue)
        let path = String(url.dropFirst(ProviderBench.url.count))
        let form = [("token", "x"), ("grant_type", "refresh_token"), ("refresh_token", "x")]
        let way = try #require(ClientAuthenticationMethod(rawValue: method))
        if way == .privateKey {
            return try await bench.post(path, form + RequestSigner(bench, algorithm).assertion("1"))
        }
        let client = try await ProviderBench.addClient("Shown", way, to: bench.accounts)
        let secret = client.secrets.first?.text?.reveal() ?? ""
        let inForm = [("client_id", client.id.rawValue)] + (way == .secretPost ? [("client_secret", secret)] : [])
        return try await bench.post(
            path, form + (way == .secretBasic ? [] : inForm),
            headers: way == .secretBasic ? ProviderBench.basic(client.id.rawValue, secret) : [:])
    }
}
