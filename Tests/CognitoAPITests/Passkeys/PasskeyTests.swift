// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

@testable import CognitoAPI

@Suite("Cognito: passkeys") struct CognitoPasskeyTests {
    private static let origin = "https://app.example"
    private static let refused = "NotAuthorizedException: Invalid passkey."
    private static let ways: JSONObject = [
        "Policies": ["SignInPolicy": ["AllowedFirstAuthFactors": ["PASSWORD", "WEB_AUTHN"]]]
    ]

    /// A pool that signs in by passkeys of `app.example`, and a confirmed `alice`.
    private func world(_ members: JSONObject = Self.ways, mode: String = "OPTIONAL") async throws -> FactorWorld {
        let world = try await FactorWorld(
            mode, FactorWorld.apps.merging(["WebAuthnConfiguration": ["RelyingPartyId": "app.example"]]),
            client: [
                "ExplicitAuthFlows": ["ALLOW_USER_AUTH", "ALLOW_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"]
            ])
        _ = try await world.bench.done(
            "UpdateUserPool",
            members.merging(["UserPoolId": .string(world.client.pool), "AutoVerifiedAttributes": ["email"]]))
        return world
    }

    private func holder(_ world: FactorWorld) async throws -> JSONObject {
        ["AccessToken": .string(try #require(try await world.password().result("AccessToken")))]
    }

    private func options(_ world: FactorWorld, _ holder: JSONObject) async throws -> JSONObject {
        let asked = try await world.bench.done("StartWebAuthnRegistration", holder)
        return try #require(asked["CredentialCreationOptions"]?.objectValue)
    }

    /// Makes a passkey, and says how it went.
    private func register(
        _ world: FactorWorld, _ authenticator: inout VirtualAuthenticator, _ holder: JSONObject
    ) async throws -> CognitoBench.Reply {
        let credential = try authenticator.create(try await options(world, holder))
        return try await world.bench.send(
            "CompleteWebAuthnRegistration", holder.merging(["Credential": .object(credential)]))
    }

    private func initiate(_ world: FactorWorld, as name: String = "alice") async throws -> CognitoBench.Reply {
        try await world.client.initiate(
            "USER_AUTH", ["USERNAME": .string(name), "PREFERRED_CHALLENGE": "WEB_AUTHN"])
    }

    private func requestOptions(_ asked: CognitoBench.Reply) throws -> JSONObject {
        let text = try #require(asked.parameters["CREDENTIAL_REQUEST_OPTIONS"]?.stringValue, "\(asked.refusal)")
        return try JSONObject(parsing: text.utf8)
    }

    private func answer(
        _ world: FactorWorld, _ authenticator: inout VirtualAuthenticator, _ asked: CognitoBench.Reply
    ) async throws -> CognitoBench.Reply {
        let credential = JSONValue.object(try authenticator.get(try requestOptions(asked)))
        return try await world.respond("WEB_AUTHN", ["CREDENTIAL": .string(credential.text)], asked)
    }

    @Test(
        "G-9.2 G-9.5 whoever asks for passkeys to be two factors is told that they are, beside a factor; who asks for less is refused"
    )
    func preference() async throws {
        let world = try await world()
        _ = try await world.bench.done(
            "SetUserPoolMfaConfig",
            [
                "UserPoolId": .string(world.client.pool), "MfaConfiguration": "OPTIONAL", "EmailMfaConfiguration": [:],
            ])
        let holder = try await holder(world)
        let (on, off): (JSONObject, JSONObject) = (["Enabled": true], ["Enabled": false])
        func prefer(_ members: JSONObject) async throws -> String? {
            let own = try await world.bench.send("SetUserMFAPreference", holder.merging(members))
            let administrator = try await world.bench.send("AdminSetUserMFAPreference", world.named(members))
            #expect(own.refusal == administrator.refusal)
            return own.status == 200 ? nil : own.message
        }
        #expect(
            try await prefer(["WebAuthnMfaSettings": .object(on)])
                == "WebAuthn MFA requires enabling an additional MFA setting.")
        #expect(
            try await prefer(["WebAuthnMfaSettings": .object(off)])
                == "WebAuthnMfaSettings with Enabled false is not supported by this server.")
        #expect(
            try await prefer(["EmailMfaSettings": .object(on), "WebAuthnMfaSettings": .object(off)])
                == "WebAuthnMfaSettings with Enabled false is not supported by this server.")
        #expect(try await world.bench.done("AdminGetUser", world.named())["UserMFASettingList"] == nil)
        #expect(
            try await world.bench.send(
                "AdminSetUserMFAPreference",
                world.named(["EmailMfaSettings": .object(on), "WebAuthnMfaSettings": .object(on)])
            ).status == 200)
        #expect(try await world.bench.done("AdminGetUser", world.named())["UserMFASettingList"] == ["EMAIL_OTP"])
    }

    @Test("G-9.2 D-2 a passkey is made, signs its user in by name, is listed and removed, in the service's form")
    func walk() async throws {
        let world = try await world()
        let configured = try await world.bench.done(
            "GetUserPoolMfaConfig", ["UserPoolId": .string(world.client.pool)])
        #expect(configured["WebAuthnConfiguration"]?.objectValue?["RelyingPartyId"] == "app.example")
        let holder = try await holder(world)
        var authenticator = VirtualAuthenticator(origin: Self.origin)
        let made = try await register(world, &authenticator, holder)
        #expect(made.status == 200 && made.json == [:], "\(made.refusal)")
        let listed = try await world.bench.done("ListWebAuthnCredentials", holder)["Credentials"]?.arrayValue ?? []
        let shown = try #require(listed.first?.objectValue)
        #expect(listed.count == 1 && shown["RelyingPartyId"] == "app.example")
        #expect(shown["CredentialId"]?.stringValue == Base64URL.encode(authenticator.credentials[0].id))
        #expect(shown["AuthenticatorTransports"] == ["internal"] && shown["CreatedAt"] != nil)
        #expect(shown["FriendlyCredentialName"]?.stringValue?.isEmpty == false)

        let offered = try await world.client.initiate("USER_AUTH", ["USERNAME": "alice"])
        #expect(offered.json["AvailableChallenges"] == ["PASSWORD", "WEB_AUTHN"])
        let asked = try await world.respond("SELECT_CHALLENGE", ["ANSWER": "WEB_AUTHN"], offered)
        #expect(asked.challenge == "WEB_AUTHN" && asked.session != nil, "\(asked.refusal)")
        let reply = try await answer(world, &authenticator, asked)
        #expect(reply.result("AccessToken") != nil && reply.result("RefreshToken") != nil, "\(reply.refusal)")

        let factors = try await world.bench.done("GetUserAuthFactors", holder)
        #expect(factors["Username"] == "alice" && factors["ConfiguredUserAuthFactors"] == ["PASSWORD", "WEB_AUTHN"])
        #expect(try await world.bench.done("AdminGetUserAuthFactors", world.named()) == factors)
        _ = try await world.bench.done(
            "DeleteWebAuthnCredential", holder.merging(["CredentialId": shown["CredentialId"] ?? .null]))
        #expect(try await world.bench.done("ListWebAuthnCredentials", holder)["Credentials"] == [])
        #expect(
            try await world.bench.done("GetUserAuthFactors", holder)["ConfiguredUserAuthFactors"] == ["PASSWORD"])
    }

    @Test("G-9.2 a passkey that verifies its user is asked for nothing beside it, and one that does not is")
    func factors() async throws {
        let world = try await world()
        let holder = try await holder(world)
        var authenticator = VirtualAuthenticator(origin: Self.origin)
        #expect(try await register(world, &authenticator, holder).status == 200)
        _ = try await world.setUpApp(token: holder["AccessToken"]?.stringValue)
        let verified = try await answer(world, &authenticator, try await initiate(world))
        #expect(verified.result("AccessToken") != nil, "\(verified.refusal)")
        authenticator.isUserVerified = false
        let present = try await answer(world, &authenticator, try await initiate(world))
        #expect(present.challenge == "SOFTWARE_TOKEN_MFA", "\(present.refusal)")
    }

    @Test("G-9.2 strangers are asked like users, and an answer opens nothing twice, elsewhere or later")
    func refusals() async throws {
        let world = try await world()
        var authenticator = VirtualAuthenticator(origin: Self.origin)
        #expect(try await register(world, &authenticator, try await holder(world)).status == 200)
        let (nobody, again) = (try await initiate(world, as: "nobody"), try await initiate(world, as: "nobody"))
        let allowed = try requestOptions(nobody)["allowCredentials"]
        let once = try requestOptions(again)["allowCredentials"]
        #expect(nobody.challenge == "WEB_AUTHN" && allowed == once)

        let asked = try await initiate(world)
        var credential = JSONValue.object(try authenticator.get(try requestOptions(asked))).text
        #expect(try await world.respond("WEB_AUTHN", ["CREDENTIAL": .string(credential)], asked).status == 200)
        let twice = try await world.respond("WEB_AUTHN", ["CREDENTIAL": .string(credential)], asked)
        #expect(twice.refusal == "NotAuthorizedException: Invalid session for the user.")
        let late = try await initiate(world)
        credential = JSONValue.object(try authenticator.get(try requestOptions(late))).text
        world.bench.advance(by: .minutes(6))
        #expect(
            try await world.respond("WEB_AUTHN", ["CREDENTIAL": .string(credential)], late).exception
                == "NotAuthorizedException")
        authenticator.origin = "https://evil.example"
        #expect(
            try await answer(world, &authenticator, try await initiate(world)).refusal
                == Self.refused)
        for text in ["", "{", "[]", "null", String(repeating: "[", count: 5000)] {
            let refused = try await world.respond(
                "WEB_AUTHN", ["CREDENTIAL": .string(text)], try await initiate(world))
            #expect(refused.exception == "InvalidParameterException", "\(text.prefix(9)): \(refused.refusal)")
        }
        let malformed = try await world.respond("WEB_AUTHN", ["CREDENTIAL": "{}"], try await initiate(world))
        #expect(malformed.refusal == Self.refused)
    }

    @Test("R10.4 what of a registration is wrong is said in the service's exceptions, and what is off is said to be")
    func registrations() async throws {
        let world = try await world()
        let holder = try await holder(world)
        func complete(_ change: (inout VirtualAuthenticator) -> Void) async throws -> String? {
            var authenticator = VirtualAuthenticator(origin: Self.origin)
            change(&authenticator)
            // The challenge is the newest of the session, and two of one moment are alike.
            world.bench.advance(by: .seconds(1))
            return try await register(world, &authenticator, holder).exception
        }
        #expect(try await complete { $0.origin = "https://evil.example" } == "WebAuthnOriginNotAllowedException")
        #expect(
            try await complete { $0.relyingPartyID = "evil.example" } == "WebAuthnRelyingPartyMismatchException")
        #expect(try await complete { $0.challenge = "AAAA" } == "WebAuthnChallengeNotFoundException")
        let unasked = try await world.bench.send(
            "CompleteWebAuthnRegistration", holder.merging(["Credential": [:]]))
        #expect(unasked.exception == "WebAuthnChallengeNotFoundException", "the last one was spent")
        #expect(
            try await world.bench.send("CompleteWebAuthnRegistration", holder).exception
                == "InvalidParameterException")
        for id in ["AAAA", "###"] {
            #expect(
                try await world.bench.send(
                    "DeleteWebAuthnCredential", holder.merging(["CredentialId": .string(id)])
                ).exception == "ResourceNotFoundException")
        }
        _ = try await world.bench.done(
            "UpdateUserPool",
            [
                "UserPoolId": .string(world.client.pool), "AutoVerifiedAttributes": ["email"],
                "Policies": ["SignInPolicy": ["AllowedFirstAuthFactors": ["PASSWORD"]]],
            ])
        for operation in ["StartWebAuthnRegistration", "CompleteWebAuthnRegistration"] {
            #expect(try await world.bench.send(operation, holder).exception == "WebAuthnNotEnabledException")
        }
        #expect(try await initiate(world).challenge == "SELECT_CHALLENGE")
    }

    @Test(
        "R10.4 a WebAuthnConfiguration that means nothing, or something that is not done, is refused",
        arguments: [
            ["RelyingPartyId": "https://app.example"], ["RelyingPartyId": ""], ["RelyingPartyId": "App.Example"],
            ["RelyingPartyId": "app..example"], ["UserVerification": "discouraged"],
            ["FactorConfiguration": "SINGLE_FACTOR"],
        ] as [JSONObject])
    func configurations(configuration: JSONObject) async throws {
        let world = try await world()
        let refused = try await world.bench.send(
            "SetUserPoolMfaConfig",
            FactorWorld.apps.merging([
                "UserPoolId": .string(world.client.pool), "MfaConfiguration": "OPTIONAL",
                "WebAuthnConfiguration": .object(configuration),
            ]))
        #expect(refused.exception == "InvalidParameterException", "\(refused.refusal)")
    }
}
