// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import Testing

@testable import CognitoClient

/// A pool that tracks devices: it renews the sessions of those that have confirmed themselves, and of no others.
struct DeviceTests {
    static let key = "eu-west-1_6e3cb5cf-6c22-4110-97cc-fa43e3b13280"

    static func result() -> JSONObject {
        var result = Recorded.result()["AuthenticationResult"]?.objectValue ?? [:]
        result["NewDeviceMetadata"] = ["DeviceKey": .string(key), "DeviceGroupKey": "-1Gh9bLGr"]
        return ["AuthenticationResult": .object(result), "ChallengeParameters": [:]]
    }

    /// Refuses to renew without the device's key, and before the device is confirmed, as the service does.
    final class Pool: Sendable {
        let confirmed = Guarded(false)
        let refusesDevices = Guarded(false)

        func answer(_ operation: String, _ input: JSONObject) -> HTTPResponse {
            switch operation {
            case "InitiateAuth" where input["AuthFlow"] == "USER_PASSWORD_AUTH": return Recorded.answer(result())
            case "ConfirmDevice":
                if refusesDevices.value { return Recorded.refusal("InternalErrorException", status: 500) }
                confirmed.withLock { $0 = true }
                return Recorded.answer(["UserConfirmationNecessary": false])
            default:
                let named = input["DeviceKey"] ?? input["AuthParameters"]?.objectValue?["DEVICE_KEY"]
                guard confirmed.value, named == .string(key) else {
                    return Recorded.refusal("NotAuthorizedException", "Invalid Refresh Token.")
                }
                return Recorded.answer(["AuthenticationResult": ["AccessToken": "d.e.f", "ExpiresIn": 300]])
            }
        }
    }

    private let pool = Pool()

    private func backend(
        _ operation: CognitoConfiguration.RefreshOperation = .getTokensFromRefreshToken
    ) -> (CognitoBackend, ScriptedTransport) {
        var configuration = Recorded.configuration
        configuration.refreshOperation = operation
        let transport = Recorded.service { [pool] operation, input in pool.answer(operation, input) }
        return (CognitoBackend(configuration, transport: transport, clock: ManualClock(now: Recorded.date)), transport)
    }

    private func signedIn(_ backend: CognitoBackend) async throws -> TokenSet {
        let proof = SignInProof.password(identifier: "ada@example.org", password: Secret("hidden-1"))
        guard case .session(let grant) = try await backend.signIn(proof) else { throw AuthError(.unsupported) }
        return grant.tokens
    }

    @Test(
        "R13.3 Y-FR4 A session of a pool that tracks devices outlives its first access token: the device confirms itself and is named",
        arguments: [CognitoConfiguration.RefreshOperation.getTokensFromRefreshToken, .initiateAuth])
    func renewed(operation: CognitoConfiguration.RefreshOperation) async throws {
        let (backend, transport) = backend(operation)
        let tokens = try await signedIn(backend)
        let once = try await backend.refresh(tokens)
        let twice = try await backend.refresh(once.tokens)
        #expect(twice.tokens.attachments.reveal() == ["username": "ada-name", "device": Self.key])
        let input = try #require(await transport.inputs.dropFirst().first)
        #expect(await transport.operations.count { $0 == "ConfirmDevice" } == 1)
        #expect(input["AccessToken"] == "a.b.c" && input["DeviceKey"] == .string(Self.key))
        let shown = input["DeviceSecretVerifierConfig"]?.objectValue
        let verifier = try #require(shown?["PasswordVerifier"]?.stringValue.flatMap { Base64.decode($0) })
        let salt = try #require(shown?["Salt"]?.stringValue.flatMap { Base64.decode($0) })
        #expect((380...385).contains(verifier.count) && (12...17).contains(salt.count))
    }

    @Test("R13.3 C-13 A device that can't be confirmed now is at the next refresh, and its password is kept nowhere")
    func later() async throws {
        pool.refusesDevices.withLock { $0 = true }
        let (backend, transport) = backend()
        let tokens = try await signedIn(backend)
        #expect(
            tokens.attachments.reveal() == [
                "username": "ada-name", "device": Self.key, "device.group": "-1Gh9bLGr",
            ])
        pool.refusesDevices.withLock { $0 = false }
        let renewed = try await backend.refresh(tokens)
        #expect(renewed.tokens.attachments.reveal()["device.group"] == nil)
        #expect(
            await transport.operations == [
                "InitiateAuth", "ConfirmDevice", "ConfirmDevice", "GetTokensFromRefreshToken",
            ])
        // Each try makes a new one up.
        let inputs = await transport.inputs
        #expect(inputs[1]["DeviceSecretVerifierConfig"] != inputs[2]["DeviceSecretVerifierConfig"])
    }

    @Test(
        "R13.3 F10 A pool that can't confirm a device for now, and renews nothing for one that it has not confirmed, signs nobody out"
    )
    func faulty() async throws {
        pool.refusesDevices.withLock { $0 = true }
        let (backend, _) = backend()
        let tokens = try await signedIn(backend)
        await #expect(throws: AuthError(.unavailable)) { try await backend.refresh(tokens) }
        pool.refusesDevices.withLock { $0 = false }
        _ = try await backend.refresh(tokens)
    }

    @Test("R13.3 C-8 A session whose device can be confirmed no more, since its access token is over, has ended")
    func tooLate() async throws {
        let transport = Recorded.service { [pool] operation, input in
            guard operation == "ConfirmDevice" else { return pool.answer(operation, input) }
            return Recorded.refusal("NotAuthorizedException", "Access Token has expired")
        }
        let backend = CognitoBackend(
            Recorded.configuration, transport: transport, clock: ManualClock(now: Recorded.date))
        let tokens = try await signedIn(backend)
        await #expect(throws: AuthError(.refreshTokenNotFound)) { try await backend.refresh(tokens) }
    }

    @Test("R13.3 A pool that tracks none is shown none")
    func untracked() async throws {
        let transport = Recorded.service { _, _ in Recorded.answer(Recorded.result()) }
        let backend = CognitoBackend(
            Recorded.configuration, transport: transport, clock: ManualClock(now: Recorded.date))
        _ = try await backend.refresh(signedIn(backend))
        #expect(await transport.inputs.last == ["RefreshToken": "refresh-1", "ClientId": "client123"])
        for metadata: JSONValue in [.null, [:], ["DeviceKey": "k"], ["DeviceKey": "", "DeviceGroupKey": "g"], "x"] {
            #expect(PoolDevice(of: ["NewDeviceMetadata": metadata]) == nil)
        }
    }

    @Test("R13.3 A device's verifier is what the service's own clients compute (recorded vector)")
    func vector() {
        let verifier = SRPClient.verifier(
            realm: "AbCdEfGhI", identity: SRPClientTests.identity, password: SRPClientTests.password,
            salt: Hex.decode(SRPClientTests.salt) ?? [])
        #expect(
            Hex.encode(SRPClientTests.hash(SRPNumber.signed(verifier)))
                == "5379cdd62c7be1806a241fab37f513142bafe672fb361875ba2a2df1c8601793")
    }
}
