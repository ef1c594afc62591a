// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import Testing

@testable import CognitoClient

/// Passkeys of a user pool. Operations and challenges have the forms of the service's API reference (`InitiateAuth`,
/// `RespondToAuthChallenge`, `StartWebAuthnRegistration`, `ListWebAuthnCredentials`), options those of Web
/// Authentication Level 3, section 5.1, without the wrapper `publicKey`, as the vendor's own library for browsers reads
/// them.
struct PasskeyTests {
    private static let creation: JSONObject = [
        "attestation": "none", "challenge": "KE5kKNsfL3pYHpBvTCj_Tw", "timeout": 60_000,
        "authenticatorSelection": [
            "requireResidentKey": true, "residentKey": "required", "userVerification": "required",
        ], "excludeCredentials": [["id": "AAAA", "type": "public-key"]], "extensions": ["credProps": true],
        "pubKeyCredParams": [["alg": -7, "type": "public-key"], ["alg": -257, "type": "public-key"]],
        "rp": ["id": "auth.example.com", "name": "auth.example.com"],
        "user": ["displayName": "Ada", "id": "NWIxYw", "name": "ada@example.org"],
    ]
    private static let request: JSONObject = [
        "allowCredentials": [["id": "kC2YF4kz1qf0HZl8Ywq4rA", "transports": ["internal"], "type": "public-key"]],
        "challenge": "v3r1fy", "extensions": [:], "rpId": "auth.example.com", "timeout": 180_000,
        "userVerification": "required",
    ]

    private let authenticator = ScriptedAuthenticator()

    private func backend(
        _ authenticator: ScriptedAuthenticator?,
        _ answer: @escaping @Sendable (String, JSONObject) -> HTTPResponse
    ) -> (CognitoBackend, ScriptedTransport) {
        let transport = Recorded.service { operation, input throws(TransportError) in answer(operation, input) }
        return (
            CognitoBackend(
                Recorded.configuration, transport: transport, clock: ManualClock(now: Recorded.date),
                authenticator: authenticator), transport
        )
    }

    private static func challenge(_ name: String, _ more: JSONObject = [:]) -> HTTPResponse {
        let answer: JSONObject = [
            "ChallengeName": .string(name), "Session": "AYABeExampleSession", "ChallengeParameters": [:],
        ]
        return Recorded.answer(answer.merging(more))
    }

    private static let asksForPasskey = challenge(
        "WEB_AUTHN",
        ["ChallengeParameters": ["CREDENTIAL_REQUEST_OPTIONS": .string(request.text), "USERNAME": "ada-name"]])

    @Test(
        "G-9 A passkey signs its user in, at once or once it is chosen among the pool's ways", arguments: [true, false])
    func signIn(atOnce: Bool) async throws {
        let (backend, transport) = backend(authenticator) { operation, input in
            if operation == "InitiateAuth" {
                return atOnce
                    ? Self.asksForPasskey
                    : Self.challenge("SELECT_CHALLENGE", ["AvailableChallenges": ["PASSWORD", "WEB_AUTHN"]])
            }
            return input["ChallengeName"] == "SELECT_CHALLENGE"
                ? Self.asksForPasskey : Recorded.answer(Recorded.result())
        }
        guard case .session(let grant) = try await backend.signIn(.passkey(identifier: "ada@example.org")) else {
            throw AuthError(.unsupported)
        }
        #expect(grant.user?.subject == "5b1c" && authenticator.asked == [Self.request])
        let inputs = await transport.inputs
        #expect(
            inputs[0] == [
                "AuthFlow": "USER_AUTH", "ClientId": "client123",
                "AuthParameters": ["PREFERRED_CHALLENGE": "WEB_AUTHN", "USERNAME": "ada@example.org"],
            ])
        if !atOnce {
            #expect(inputs[1]["ChallengeResponses"] == ["ANSWER": "WEB_AUTHN", "USERNAME": "ada@example.org"])
        }
        let shown = try #require(inputs.last?["ChallengeResponses"]?.objectValue)
        #expect(shown["USERNAME"] == "ada-name" && inputs.last?["Session"] == "AYABeExampleSession")
        let credential = try JSONObject(parsing: try #require(shown["CREDENTIAL"]?.stringValue).utf8)
        #expect(credential == ScriptedAuthenticator.assertion)
    }

    @Test(
        "G-9 What the authenticator says is told as it is, and nothing of it reaches the service",
        arguments: [
            (PasskeyError.cancelled, AuthErrorCode.cancelled), (.noCredential, .factorNotFound),
            (.exists, .factorExists), (.unavailable(reason: "no entitlement"), .unsupported),
        ])
    func refused(error: PasskeyError, code: AuthErrorCode) async throws {
        let (backend, transport) = backend(authenticator) { operation, _ in
            operation == "InitiateAuth"
                ? Self.asksForPasskey : Recorded.answer(["CredentialCreationOptions": .object(Self.creation)])
        }
        authenticator.fail(with: error)
        await #expect(throws: AuthError(code)) { try await backend.signIn(.passkey(identifier: "ada")) }
        await #expect(throws: AuthError(code)) { try await backend.addPasskey(Recorded.tokens()) }
        #expect(await transport.operations == ["InitiateAuth", "StartWebAuthnRegistration"])
    }

    @Test(
        "G-9 G-15.8 A passkey that the service refuses, by whichever words, is told as one and as no wrong password",
        arguments: ["Incorrect username or password.", "Invalid passkey."])
    func refusedByService(words: String) async throws {
        let (backend, _) = backend(authenticator) { operation, _ in
            operation == "InitiateAuth" ? Self.asksForPasskey : Recorded.refusal("NotAuthorizedException", words)
        }
        await #expect(throws: AuthError(.passkeyRefused)) {
            try await backend.signIn(.passkey(identifier: "ada@example.org"))
        }
    }

    @Test("G-9 Who has no passkey at the pool, but a password, is told so and not shown a choice of nothing")
    func none() async throws {
        let (backend, transport) = backend(authenticator) { _, _ in
            Self.challenge("SELECT_CHALLENGE", ["AvailableChallenges": ["PASSWORD", "PASSWORD_SRP"]])
        }
        await #expect(throws: AuthError(.passkeyRefused)) {
            try await backend.signIn(.passkey(identifier: "ada@example.org"))
        }
        #expect(await transport.operations == ["InitiateAuth"] && authenticator.asked.isEmpty)
    }

    @Test("G-9 A passkey is made by the pool's options and shown to it in the form of the standard")
    func register() async throws {
        let (backend, transport) = backend(authenticator) { operation, _ in
            operation == "StartWebAuthnRegistration"
                ? Recorded.answer(["CredentialCreationOptions": .object(Self.creation)]) : Recorded.answer([:])
        }
        try await backend.addPasskey(Recorded.tokens())
        #expect(authenticator.asked == [Self.creation])
        #expect(
            await transport.inputs.last == [
                "AccessToken": "a.b.c", "Credential": .object(ScriptedAuthenticator.registration),
            ])
    }

    @Test("G-9 Passkeys are listed over all pages, whatever form their times have, and taken away by their name")
    func list() async throws {
        let (backend, transport) = backend(nil) { operation, input in
            guard operation == "ListWebAuthnCredentials" else { return Recorded.answer([:]) }
            guard input["NextToken"] == "more" else {
                return Recorded.answer([
                    "Credentials": [
                        [
                            "AuthenticatorAttachment": "platform", "AuthenticatorTransports": ["hybrid", "internal"],
                            "CreatedAt": .number(1_730_490_000.5), "CredentialId": "kC2YF4kz1qf0HZl8Ywq4rA",
                            "FriendlyCredentialName": "iCloud Keychain", "RelyingPartyId": "auth.example.com",
                        ], ["FriendlyCredentialName": "nameless"],
                    ], "NextToken": "more",
                ])
            }
            return Recorded.answer(["Credentials": [["CredentialId": "second", "CreatedAt": 1_730_490_000]]])
        }
        let made = Instant(seconds: 1_730_490_000)
        #expect(
            try await backend.passkeys(Recorded.tokens()) == [
                Passkey(id: "kC2YF4kz1qf0HZl8Ywq4rA", name: "iCloud Keychain", createdAt: made),
                Passkey(id: "second", createdAt: made),
            ])
        try await backend.removePasskey("second", Recorded.tokens())
        #expect(await transport.inputs.last == ["AccessToken": "a.b.c", "CredentialId": "second"])
    }

    @Test(
        "G-9 Without an authenticator nobody is asked for a passkey; a pool that gives no options gives no reason to ask for one"
    )
    func without() async throws {
        let (backend, transport) = backend(nil) { _, _ in Recorded.answer([:]) }
        await #expect(throws: AuthError(.unsupported)) { try await backend.signIn(.passkey(identifier: "ada")) }
        await #expect(throws: AuthError(.unsupported)) { try await backend.addPasskey(Recorded.tokens()) }
        #expect(await transport.requests.isEmpty)
        for options in ["", "{", "[]", #"{"a":"#] {
            let (odd, _) = self.backend(authenticator) { _, _ in
                Self.challenge("WEB_AUTHN", ["ChallengeParameters": ["CREDENTIAL_REQUEST_OPTIONS": .string(options)]])
            }
            await #expect(throws: AuthError(.unavailable)) { try await odd.signIn(.passkey(identifier: "ada")) }
        }
        await #expect(throws: AuthError(.unsupported)) { try await backend.signIn(.passkey(identifier: nil)) }
        #expect(authenticator.asked.isEmpty)
    }
}
