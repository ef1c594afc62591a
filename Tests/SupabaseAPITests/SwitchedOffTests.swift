// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Foundation
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

/// The platform's router, route by route, as it stands with its features switched off. What this server has is in
/// ``GatewayTests``; that an operation is missing from both would be a bare 404.
@Suite("What is switched off") struct SwitchedOffTests {
    private static let uuid = "3f0e8a52-6f0c-4f0e-9a37-4a2f6a0c1b11"

    private enum Caller: Sendable {
        case anybody
        case user
        case administrator
    }

    private struct Row: Sendable {
        var caller: Caller
        var calls: [String]
        var outcome: String
    }

    private static let rows: [Row] = [
        Row(
            caller: .user,
            calls: ["GET /user/identities/authorize?provider=google", "DELETE /user/identities/\(uuid)"],
            outcome: "404 manual_linking_disabled"),
        Row(
            caller: .user,
            calls: [
                "POST /factors/\(uuid)/challenge", "POST /factors/\(uuid)/verify", "DELETE /factors/\(uuid)",
            ], outcome: "404 mfa_factor_not_found"),
        Row(
            caller: .user, calls: ["POST /factors/1/challenge", "POST /factors/1/verify", "DELETE /factors/1"],
            outcome: "404 validation_failed"),
        Row(caller: .user, calls: ["GET /factors/recovery-codes"], outcome: "404 mfa_factor_not_found"),
        Row(
            caller: .user, calls: ["POST /factors/recovery-codes", "POST /factors/recovery-codes/regenerate"],
            outcome: "422 mfa_recovery_codes_enroll_not_enabled"),
        Row(
            caller: .user, calls: ["POST /factors/recovery-codes/verify"],
            outcome: "422 mfa_recovery_codes_verify_not_enabled"),
        Row(caller: .user, calls: ["DELETE /factors/recovery-codes"], outcome: "403 insufficient_aal"),
        Row(
            caller: .anybody,
            calls: [
                "POST /passkeys/authentication/options", "POST /passkeys/authentication/verify",
                "POST /passkeys/registration/options", "POST /passkeys/registration/verify", "GET /passkeys",
                "PATCH /passkeys/\(uuid)", "DELETE /passkeys/\(uuid)",
            ], outcome: "404 passkey_disabled"),
        Row(
            caller: .anybody, calls: ["POST /sso", "GET /sso/saml/metadata", "POST /sso/saml/acs"],
            outcome: "404 saml_provider_disabled"),
        Row(caller: .administrator, calls: ["POST /admin/sso/providers"], outcome: "404 saml_provider_disabled"),
        Row(
            caller: .administrator,
            calls: ["GET", "PUT", "DELETE"].map { "\($0) /admin/sso/providers/\(uuid)" },
            outcome: "404 sso_provider_not_found"),
        Row(
            caller: .anybody,
            calls: [
                "GET /.well-known/oauth-authorization-server", "POST /oauth/clients/register", "POST /oauth/token",
                "GET /oauth/userinfo", "GET /oauth/authorize", "GET /oauth/authorizations/\(uuid)",
                "POST /oauth/authorizations/\(uuid)/consent",
            ], outcome: "404 feature_disabled"),
        Row(
            caller: .user, calls: ["GET /user/oauth/grants", "DELETE /user/oauth/grants?client_id=\(uuid)"],
            outcome: "404 feature_disabled"),
        Row(
            caller: .administrator,
            calls: [
                "GET /admin/oauth/clients", "POST /admin/oauth/clients", "GET /admin/oauth/clients/\(uuid)",
                "PUT /admin/oauth/clients/\(uuid)", "DELETE /admin/oauth/clients/\(uuid)",
                "POST /admin/oauth/clients/\(uuid)/regenerate_secret",
            ], outcome: "404 feature_disabled"),
        Row(
            caller: .anybody,
            calls: ["ServiceProviderConfig", "ResourceTypes", "Schemas"].map { "GET /scim/v2/" + $0 },
            outcome: "404 feature_disabled"),
        Row(
            caller: .anybody,
            calls: ["google", "Apple", "custom:x", "nobody", ""].map { "GET /authorize?provider=\($0)" },
            outcome: "400 validation_failed"),
        Row(caller: .anybody, calls: ["POST /token?grant_type=web3"], outcome: "422 web3_provider_disabled"),
        // What comes first there comes first here.
        Row(
            caller: .anybody,
            calls: [
                "POST /factors", "DELETE /factors/\(uuid)", "GET /factors/recovery-codes", "GET /user/oauth/grants",
                "DELETE /user/identities/\(uuid)",
                "GET /admin/custom-providers", "GET /admin/sso/providers", "POST /admin/oauth/clients",
                "GET /admin/users/\(uuid)/factors",
            ], outcome: "401 no_authorization"),
        Row(
            caller: .user,
            calls: ["GET /admin/custom-providers", "POST /admin/sso/providers", "GET /admin/users/\(uuid)/passkeys"],
            outcome: "403 not_admin"),
        Row(
            caller: .administrator,
            calls: ["GET /admin/users/\(uuid)/factors", "DELETE /admin/users/\(uuid)/passkeys/\(uuid)"],
            outcome: "404 user_not_found"),
    ]

    @Test("R10.3 each of the platform's operations answers as with its feature off, after the checks that come first")
    func rows() async throws {
        let bench = try await SupabaseBench { $0.factors.backupCodes = .off }
        try await bench.addUser("ada@example.com")
        let (access, _) = try await bench.session(of: "ada@example.com")
        for row in Self.rows {
            for call in row.calls {
                let parts = call.split(separator: " ").map(String.init)
                let method = try #require(HTTPRequest.Method(rawValue: parts[0]))
                let reply =
                    switch row.caller {
                    case .anybody: try await bench.send(method, parts[1])
                    case .user: try await bench.send(method, parts[1], token: access)
                    case .administrator: try await bench.administer(method, parts[1])
                    }
                #expect(reply.outcome == row.outcome, "\(row.caller) \(call): \(reply.text)")
                #expect(reply.json["msg"]?.stringValue?.isEmpty == false, "\(call)")
            }
        }
    }

    @Test("R10.3 no operation of the platform's router is left out of the tables")
    func complete() {
        // supabase/auth, internal/api/api.go, v2.196, and recovery codes, which came after it; braces are what a path
        // names.
        let router = """
            GET /health, GET /.well-known/jwks.json, GET /.well-known/openid-configuration,
            GET /.well-known/oauth-authorization-server, GET /callback, POST /callback, GET /settings, GET /authorize,
            POST /invite, POST /signup, POST /recover, POST /resend, POST /magiclink, POST /otp, POST /token,
            GET /verify, POST /verify, POST /logout, GET /reauthenticate, GET /user, PUT /user,
            GET /user/identities/authorize, DELETE /user/identities/{}, GET /user/oauth/grants,
            DELETE /user/oauth/grants, POST /factors, POST /factors/{}/verify, POST /factors/{}/challenge,
            DELETE /factors/{}, POST /passkeys/authentication/options, POST /passkeys/authentication/verify,
            POST /passkeys/registration/options, POST /passkeys/registration/verify, GET /passkeys,
            PATCH /passkeys/{}, DELETE /passkeys/{}, POST /sso, GET /sso/saml/metadata, POST /sso/saml/acs,
            GET /admin/audit, GET /admin/users, POST /admin/users, GET /admin/users/{}/factors,
            DELETE /admin/users/{}/factors/{}, PUT /admin/users/{}/factors/{}, GET /admin/users/{}/passkeys,
            DELETE /admin/users/{}/passkeys/{}, GET /admin/users/{}, PUT /admin/users/{}, DELETE /admin/users/{},
            POST /admin/generate_link, GET /admin/sso/providers, POST /admin/sso/providers,
            GET /admin/sso/providers/{}, PUT /admin/sso/providers/{}, DELETE /admin/sso/providers/{},
            POST /admin/oauth/clients, GET /admin/oauth/clients, GET /admin/oauth/clients/{},
            PUT /admin/oauth/clients/{}, DELETE /admin/oauth/clients/{},
            POST /admin/oauth/clients/{}/regenerate_secret, GET /admin/custom-providers,
            POST /admin/custom-providers, GET /admin/custom-providers/{}, PUT /admin/custom-providers/{},
            DELETE /admin/custom-providers/{}, POST /oauth/clients/register, POST /oauth/token, GET /oauth/userinfo,
            GET /oauth/authorize, GET /oauth/authorizations/{}, POST /oauth/authorizations/{}/consent,
            GET /scim/v2/ServiceProviderConfig, GET /scim/v2/ResourceTypes, GET /scim/v2/Schemas,
            GET /factors/recovery-codes, POST /factors/recovery-codes, POST /factors/recovery-codes/regenerate,
            POST /factors/recovery-codes/verify, DELETE /factors/recovery-codes
            """
        let wanted = Set(
            router.split(separator: ",").map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") })
        let here = Set(
            (Route.all + Route.switchedOff).map {
                "\($0.method.rawValue) " + $0.path.replacing(/\{[a-z_]+\}/, with: "{}")
            })
        #expect(wanted.subtracting(here).isEmpty, "\(wanted.subtracting(here))")
        // Beyond it there is the form of the page that a mailed link opens.
        #expect(here.subtracting(wanted) == ["POST /verify/link"])
    }

    @Test(
        "R10.3 where no second factor of any kind can be enrolled, apps are told so, and whoever is anonymous is told that first",
        arguments: [
            (#"{"factor_type":"totp"}"#, "422 mfa_totp_enroll_not_enabled"),
            (#"{"factor_type":"phone","phone":"+4915112345678"}"#, "422 mfa_phone_enroll_not_enabled"),
            (#"{"factor_type":"webauthn"}"#, "422 mfa_webauthn_enroll_not_enabled"),
            (#"{"factor_type":"fax"}"#, "400 validation_failed"), ("{}", "400 validation_failed"),
        ])
    func factors(body: String, outcome: String) async throws {
        let bench = try await SupabaseBench {
            $0.signUp.anonymousEnabled = true
            $0.factors.totp = .verify
        }
        try await bench.addUser("ada@example.com")
        let (access, _) = try await bench.session(of: "ada@example.com")
        #expect(try await bench.send(.post, "/factors", raw: body, token: access).outcome == outcome)
        let anonymous = try #require(try await bench.post("/signup")["access_token"]?.stringValue)
        #expect(try await bench.send(.post, "/factors", raw: body, token: anonymous).outcome == "403 no_authorization")
    }

    @Test("R10.3 an operator who looks for factors, passkeys or identity providers finds that there are none")
    func nothing() async throws {
        let bench = try await SupabaseBench()
        let id = try await bench.addUser("ada@example.com")
        for path in ["factors", "passkeys"] {
            let reply = try await bench.administer(.get, "/admin/users/\(id)/\(path)")
            #expect(reply.status == 200 && reply.text == "[]")
        }
        #expect(try await bench.administer(.get, "/admin/sso/providers").json == ["items": []])
        let factor = "/admin/users/\(id)/factors/"
        for method in [HTTPRequest.Method.put, .delete] {
            #expect(try await bench.administer(method, factor + Self.uuid).outcome == "404 mfa_factor_not_found")
            #expect(try await bench.administer(method, factor + "1").outcome == "404 validation_failed")
        }
        let passkey = "/admin/users/\(id)/passkeys/" + Self.uuid
        #expect(try await bench.administer(.delete, passkey).outcome == "404 validation_failed")
    }

    @Test("R10.3 /authorize says of a provider whether it is off or unknown")
    func providers() async throws {
        let bench = try await SupabaseBench()
        for (name, reason) in [
            ("google", "provider is not enabled"), ("TWITTER", "provider is not enabled"),
            ("custom:x", "custom provider custom:x not found"), ("myspace", "Provider myspace could not be found"),
        ] {
            let reply = try await bench.send(.get, "/authorize?provider=" + name, key: "")
            #expect(reply["msg"] == .string("Unsupported provider: " + reason))
        }
    }

    @Test(
        "R10.3 who comes back from a provider is sent to the site, and nowhere that the request names",
        arguments: [
            ("", "bad_oauth_callback"), ("x", "bad_oauth_state"), (uuid, "bad_oauth_state"),
        ])
    func callback(state: String, code: String) async throws {
        let bench = try await SupabaseBench()
        let get = try await bench.send(
            .get, "/callback?state=\(state)&code=1&redirect_to=https%3A%2F%2Fevil.example", key: "")
        let post = try await bench.send(
            .post, "/callback", raw: "state=\(state)&code=1", key: "",
            headers: ["content-type": "application/x-www-form-urlencoded"])
        for reply in [get, post] {
            #expect(reply.status == 303, "\(reply.text)")
            let location = try #require(reply[header: "location"])
            #expect(location.hasPrefix("https://app.example?error=invalid_request&error_code=\(code)&"))
        }
    }

    private static func token(_ claims: JSONObject) -> String {
        let header: JSONObject = ["alg": "RS256", "kid": "1"]
        return [Base64URL.encode(header.serialized()), Base64URL.encode(claims.serialized()), "AAAA"]
            .joined(separator: ".")
    }

    @Test(
        "R10.3 an ID token is refused as by a platform on which its provider is off",
        arguments: [
            (#"{"id_token":"x","provider":"google"}"#, "provider_disabled", "https://accounts.google.com"),
            (#"{"id_token":"x","provider":"keycloak"}"#, "provider_disabled", ""),
            (
                #"{"id_token":"x","client_id":"1","issuer":"https://kauth.kakao.com"}"#, "provider_disabled",
                "https://kauth.kakao.com"
            ),
            (
                #"{"id_token":"\#(token(["iss": "https://appleid.apple.com"]))","provider":"apple"}"#,
                "provider_disabled", "https://appleid.apple.com"
            ),
            (#"{"id_token":"x","provider":"apple"}"#, "validation_failed", nil),
            (
                #"{"id_token":"\#(token(["iss": "https://evil.example"]))","provider":"apple"}"#,
                "validation_failed", nil
            ),
            (#"{"id_token":"x","provider":"azure"}"#, "validation_failed", nil),
            (#"{"id_token":"x","provider":"custom:mine"}"#, "validation_failed", nil),
            (#"{"id_token":"x","provider":"myspace"}"#, "validation_failed", nil),
        ] as [(String, String, String?)])
    func idTokens(body: String, code: String, issuer: String?) async throws {
        let bench = try await SupabaseBench()
        let reply = try await bench.send(.post, "/token?grant_type=id_token", raw: body)
        #expect(reply.outcome == "400 " + code, "\(reply.text)")
        if let issuer { #expect(reply["msg"] == .string("Provider (issuer \"\(issuer)\") is not enabled")) }
    }

    @Test(
        "R10.3 what an ID token's request lacks is said in the form of OAuth, as there",
        arguments: [
            ("{}", "id_token required"), (#"{"id_token":"x"}"#, "provider or client_id and issuer required"),
            (
                #"{"id_token":"x","provider":"google","link_identity":true}"#,
                "Linking requires a valid user access token in Authorization"
            ),
        ])
    func idTokenForm(body: String, message: String) async throws {
        let bench = try await SupabaseBench()
        let reply = try await bench.send(.post, "/token?grant_type=id_token", raw: body)
        #expect(reply.status == 400)
        #expect(reply.ofVendor == ["error": "invalid request", "error_description": .string(message)])
    }

    @Test("R10.3 the discovery document names issuer and keys, whether or not the OAuth server is switched on")
    func discovery() async throws {
        let bench = try await SupabaseBench()
        let reply = try await bench.send(.get, "/.well-known/openid-configuration", key: "")
        #expect(reply.status == 200 && reply["issuer"] == "https://auth.example/auth/v1")
        #expect(reply["jwks_uri"] == "https://auth.example/auth/v1/.well-known/jwks.json")
    }
}
