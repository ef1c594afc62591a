// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import Testing

@testable import FirebaseAPI

@Suite struct ProviderTests {
    private static let openID: JSONObject = [
        "clientId": "client", "issuer": "https://idp.example", "clientSecret": "hush-hush-hush",
        "responseType": ["code": true],
    ]
    private static let saml: JSONObject = [
        "idpConfig": [
            "idpEntityId": "idp", "ssoUrl": "https://idp.example/sso", "idpCertificates": [["x509Certificate": "c"]],
        ],
        "spConfig": ["spEntityId": "us", "callbackUri": "https://app.example/callback"],
    ]

    private func call(
        _ bench: FirebaseBench, _ rest: String, _ body: JSONObject = [:], _ method: HTTPRequest.Method = .post,
        token: String? = nil
    ) async throws -> FirebaseBench.Reply {
        try await bench.administer(rest, body, method: method, token: token, version: "v2")
    }

    @Test(
        "R10.5 R12.5 a provider's configuration is the Directory's identity provider, in the project or tenant that it is of"
    )
    func life() async throws {
        let bench = try await FirebaseBench()
        let made = try await call(bench, "/oauthIdpConfigs?oauthIdpConfigId=oidc.one", Self.openID)
        #expect(made["name"] == "projects/default/oauthIdpConfigs/oidc.one", "\(made.text)")
        #expect(made["clientSecret"] == "hush-hush-hush" && made["responseType"] == ["code": true])
        let id = bench.directory.id
        let kept = try await bench.ports.store.read { try $0.identityProvider(named: "oidc.one", in: id) }
        #expect(kept?.kind == .openID && kept?.issuer == "https://idp.example" && kept?.clientIDs == ["client"])
        #expect(kept?.secret?.reveal() == "hush-hush-hush" && kept?.isEnabled == false)
        let settings = try await DirectoryAdministration(bench.ports).get(named: "default").settings
        #expect(!JSONValue.object(settings.json).text.contains("hush"))
        #expect(
            try await call(bench, "/oauthIdpConfigs?oauthIdpConfigId=oidc.one", Self.openID).code
                == "CONFIGURATION_EXISTS")

        let patched = try await call(
            bench, "/oauthIdpConfigs/oidc.one?updateMask=displayName,enabled",
            ["displayName": "One", "enabled": true, "clientId": "other"], .patch)
        #expect(patched["displayName"] == "One" && patched["enabled"] == true && patched["clientId"] == "client")
        #expect(patched["clientSecret"] == "hush-hush-hush", "\(patched.text)")

        let tenant = try await call(bench, "/tenants", ["displayName": "North"])
        let path = "/tenants/" + (tenant["name"]?.stringValue?.split(separator: "/").last.map(String.init) ?? "")
        #expect(try await call(bench, path + "/oauthIdpConfigs", [:], .get)["oauthIdpConfigs"] == nil)
        let saml = try await call(bench, path + "/inboundSamlConfigs?inboundSamlConfigId=saml.one", Self.saml)
        #expect(saml["idpConfig"] == Self.saml["idpConfig"] && saml["spConfig"] == Self.saml["spConfig"])
        #expect(try await call(bench, "/inboundSamlConfigs/saml.one", [:], .get).code == "CONFIGURATION_NOT_FOUND")

        let known = try await call(bench, "/defaultSupportedIdpConfigs?idpId=google.com", ["clientId": "g"])
        #expect(known["clientId"] == "g", "\(known.text)")
        #expect(try await call(bench, "/oauthIdpConfigs/oidc.one", [:], .delete).status == 200)
        #expect(try await call(bench, "/oauthIdpConfigs/oidc.one", [:], .get).status == 404)
    }

    @Test("R12.5 who is configured here signs users in, and keeps what another way of configuring has said of them")
    func used() async throws {
        let bench = try await FirebaseBench()
        let google: JSONObject = ["clientId": "app", "clientSecret": "hush", "enabled": true]
        _ = try await call(bench, "/defaultSupportedIdpConfigs?idpId=google.com", google)
        let administrator = CallContext(
            directory: bench.directory, now: bench.now, device: DeviceMetadata(), language: .en, links: PlainLinks(),
            actor: .commandLine)
        _ = try await IdentityProviderAdministration(bench.ports).update("google", call: administrator) {
            $0.clientIDs.append("ios")
            $0.scopes = ["openid", "email"]
        }
        let patched = try await call(
            bench, "/defaultSupportedIdpConfigs/google.com?updateMask=clientId", ["clientId": "web"], .patch)
        #expect(patched["clientId"] == "web" && patched["clientSecret"] == "hush", "\(patched.text)")
        let kept = try await IdentityProviderAdministration(bench.ports).get("google", call: administrator)
        #expect(kept.clientIDs == ["web", "ios"] && kept.scopes == ["openid", "email"] && kept.skipsNonceCheck)
        try bench.vouch("token")
        #expect(try await bench.signInWithProvider("token").status == 200)
        let off = try await call(
            bench, "/defaultSupportedIdpConfigs/google.com?updateMask=enabled", ["enabled": false], .patch)
        #expect(off["enabled"] == false && off["clientId"] == "web", "\(off.text)")
        try bench.vouch("later")
        #expect(try await bench.signInWithProvider("later").code == "OPERATION_NOT_ALLOWED")
        #expect(try await call(bench, "/oauthIdpConfigs", [:], .get)["oauthIdpConfigs"] == nil)
        #expect(try await call(bench, "/oauthIdpConfigs/google.com", [:], .get).status == 404)
    }

    @Test("R12.5 Apple is configured by its team's key, and a provider that this server does not know by nothing")
    func apple() async throws {
        let bench = try await FirebaseBench()
        let made = try await call(
            bench, "/defaultSupportedIdpConfigs?idpId=apple.com",
            ["clientId": "com.example.web", "enabled": true, "appleSignInConfig": ["bundleIds": ["com.example.ios"]]])
        #expect(made["appleSignInConfig"] == ["bundleIds": ["com.example.ios"]], "\(made.text)")
        let id = bench.directory.id
        let kept = try await bench.ports.store.read { try $0.identityProvider(named: "apple", in: id) }
        #expect(kept?.clientIDs == ["com.example.web", "com.example.ios"])
        for (name, body) in [
            ("twitter.com", ["clientId": "x"]),
            ("google.com", ["clientId": "x", "appleSignInConfig": ["bundleIds": ["y"]]]),
            ("microsoft.com", ["clientId": "with blanks"]),
        ] as [(String, JSONObject)] {
            let reply = try await call(bench, "/defaultSupportedIdpConfigs?idpId=" + name, body)
            #expect(reply.status == 400 && reply.code == "INVALID_CONFIG", "\(name): \(reply.text)")
        }
        let secret: JSONObject = ["appleSignInConfig": ["codeFlowConfig": ["privateKey": "no key"]]]
        let bad = try await call(
            bench, "/defaultSupportedIdpConfigs/apple.com?updateMask=appleSignInConfig.codeFlowConfig", secret, .patch)
        #expect(bad.code == "INVALID_CONFIG" && !bad.text.contains("no key"), "\(bad.text)")
    }

    @Test("R10.5 providers are listed in pages")
    func pages() async throws {
        let bench = try await FirebaseBench()
        for number in 1...3 {
            _ = try await call(bench, "/oauthIdpConfigs?oauthIdpConfigId=oidc.n\(number)", Self.openID)
        }
        let first = try await call(bench, "/oauthIdpConfigs?pageSize=2", [:], .get)
        #expect(first["oauthIdpConfigs"]?.arrayValue?.count == 2)
        let token = try #require(first["nextPageToken"]?.stringValue, "\(first.text)")
        let last = try await call(bench, "/oauthIdpConfigs?pageSize=2&pageToken=" + token, [:], .get)
        #expect(last["oauthIdpConfigs"]?.arrayValue?.count == 1 && last["nextPageToken"] == nil)
    }

    @Test("R10.5 a configuration that could sign nobody in is refused by what it lacks, and so is who may not make one")
    func refusals() async throws {
        let bench = try await FirebaseBench()
        func without(_ name: String, _ object: JSONObject) -> JSONObject {
            var object = object
            object[name] = nil
            return object
        }
        var both = Self.openID
        both["responseType"] = ["code": true, "idToken": true]
        var strange = Self.openID
        strange["wobble"] = true
        let openID = "/oauthIdpConfigs?oauthIdpConfigId="
        let cases: [(String, JSONObject, String)] = [
            (openID + "saml.x", Self.openID, "INVALID_CONFIG_ID"),
            (openID + "oidc.Upper", Self.openID, "INVALID_CONFIG_ID"),
            ("/oauthIdpConfigs", Self.openID, "INVALID_CONFIG_ID"),
            (openID + "oidc.x", without("clientId", Self.openID), "MISSING_OAUTH_CLIENT_ID"),
            (openID + "oidc.x", without("issuer", Self.openID), "MISSING_ISSUER"),
            (openID + "oidc.x", without("clientSecret", Self.openID), "MISSING_OAUTH_CLIENT_SECRET"),
            (openID + "oidc.x", both, "INVALID_OAUTH_RESPONSETYPE"), (openID + "oidc.x", strange, "INVALID_CONFIG"),
            (
                "/inboundSamlConfigs?inboundSamlConfigId=saml.x", without("spConfig", Self.saml),
                "MISSING_SAML_RELYING_PARTY_CONFIG"
            ),
        ]
        for (path, body, code) in cases {
            let reply = try await call(bench, path, body)
            #expect(reply.code == code, "\(path): \(reply.text)")
        }
        let narrow = try await APIKeyAdministration(bench.ports).create(
            .secret, name: "x", scopes: [APIKey.userScope], in: bench.directory, at: bench.now
        ).secret.reveal()
        #expect(try await call(bench, openID + "oidc.x", Self.openID, token: narrow).status == 403)
        #expect(try await call(bench, openID + "oidc.x", Self.openID, token: bench.key).status == 401)
    }
}
