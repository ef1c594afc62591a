// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import Testing

@testable import CognitoClient

struct IdentityPoolCredentialsTests {
    let clock = ManualClock(now: Recorded.date)
    static let configuration = IdentityPoolConfiguration(region: "eu-west-1", identityPoolID: "eu-west-1:pool")

    static func credentials(_ number: Int, expires: Int64 = 3600) -> JSONObject {
        [
            "IdentityId": "eu-west-1:id",
            "Credentials": [
                "AccessKeyId": .string("ASIA\(number)"), "SecretKey": "hidden-1", "SessionToken": "hidden-2",
                "Expiration": .number(1_785_283_200.5 + Double(expires)),
            ],
        ]
    }

    func credentials(_ transport: ScriptedTransport) -> IdentityPoolCredentials {
        IdentityPoolCredentials(IdentityPool(Self.configuration, transport: transport), clock: clock) {
            ["accounts.google.com": Secret("google-token")]
        }
    }

    @Test("R13.3 H-6 Credentials are fetched once for many callers, and kept until shortly before they expire")
    func once() async throws {
        let transport = Recorded.service { operation, _ in
            Recorded.answer(operation == "GetId" ? ["IdentityId": "eu-west-1:id"] : Self.credentials(1))
        }
        let credentials = credentials(transport)
        let keys = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { try await credentials.credentials().accessKeyID } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(keys == ["ASIA1"])
        #expect(await transport.operations == ["GetId", "GetCredentialsForIdentity"])
        #expect(
            await transport.inputs == [
                ["IdentityPoolId": "eu-west-1:pool", "Logins": ["accounts.google.com": "google-token"]],
                ["IdentityId": "eu-west-1:id", "Logins": ["accounts.google.com": "google-token"]],
            ])
        #expect(await transport.requests[0].url == "https://cognito-identity.eu-west-1.amazonaws.com/")
        clock.advance(by: .minutes(54))
        _ = try await credentials.credentials()
        #expect(await transport.operations.count == 2)
        clock.advance(by: .minutes(2))
        let again = try await credentials.credentials()
        // The identity is known by then.
        #expect(await transport.operations == ["GetId", "GetCredentialsForIdentity", "GetCredentialsForIdentity"])
        #expect(!"\(again)".contains("hidden"))
    }

    @Test("R13.3 H-6 The device's wrong clock neither keeps credentials too long nor fetches them all the time")
    func clocks() async throws {
        clock.set(Instant(seconds: 1_000_000_000))
        let transport = Recorded.service { operation, _ in
            Recorded.answer(operation == "GetId" ? ["IdentityId": "eu-west-1:id"] : Self.credentials(1, expires: 900))
        }
        let credentials = credentials(transport)
        _ = try await credentials.credentials()
        clock.set(Instant(seconds: 2_000_000_000))
        _ = try await credentials.credentials()
        #expect(await transport.operations.count == 2)
        clock.advance(by: .minutes(11))
        _ = try await credentials.credentials()
        #expect(await transport.operations.count == 3)
    }

    @Test("R13.3 H-5 What was forgotten is not given any more, nor what was under way")
    func forgotten() async throws {
        let gate = ManualClock()
        let transport = ScriptedTransport { request, number in
            if number == 1 { try? await gate.wait(.seconds(1)) }
            return Recorded.answer(number % 2 == 0 ? ["IdentityId": "eu-west-1:id"] : Self.credentials(number))
        }
        let credentials = credentials(transport)
        let late = Task { try await credentials.credentials() }
        try await gate.untilSleeping()
        await credentials.forget()
        gate.advance(by: .seconds(1))
        await #expect(throws: AuthError(.superseded)) { try await late.value }
        #expect(try await credentials.credentials().accessKeyID == "ASIA3")
    }

    @Test(
        "R13.3 H-11 What an identity pool refuses is told by what is wrong",
        arguments: [
            (
                "NotAuthorizedException", "Invalid login token. Token expired: 1 >= 0",
                AuthErrorCode.identityTokenInvalid
            ),
            (
                "NotAuthorizedException", "Token is not from a supported provider of this identity pool.",
                .identityProviderNotFound
            ),
            ("ResourceNotFoundException", "IdentityPool 'eu-west-1:pool' not found.", .notFound),
            ("TooManyRequestsException", "Rate exceeded", .rateLimited),
            ("InvalidIdentityPoolConfigurationException", "", .internalFailure),
            ("ExternalServiceException", "", .identityProviderUnavailable),
        ])
    func refused(type: String, message: String, code: AuthErrorCode) async {
        let transport = Recorded.service { _, _ in Recorded.refusal(type, message) }
        let error = await #expect(throws: AuthError.self) { try await credentials(transport).credentials() }
        #expect(error?.code == code)
    }

    @Test("R13.3 H-6 An identity that is gone is asked for anew; a failure is not kept")
    func gone() async throws {
        let transport = ScriptedTransport { request, number in
            switch number {
            case 0, 4: Recorded.answer(["IdentityId": .string("eu-west-1:id\(number)")])
            case 1, 5: Recorded.answer(Self.credentials(number))
            case 2: Recorded.refusal("InternalErrorException", "", status: 500)
            default: Recorded.refusal("ResourceNotFoundException", "Identity 'eu-west-1:id' not found.")
            }
        }
        let credentials = credentials(transport)
        _ = try await credentials.credentials()
        clock.advance(by: .hours(1))
        await #expect(throws: AuthError(.unavailable)) { try await credentials.credentials() }
        #expect(try await credentials.credentials().accessKeyID == "ASIA5")
    }

    @Test("R13.3 Answers that are none are refused, whatever numbers they hold")
    func nonsense() async {
        for expiration in [JSONValue.integer(.max), .integer(.min), .number(1e300), .string("soon"), .null] {
            let transport = Recorded.service { operation, _ in
                var members = Self.credentials(1)
                var given = members["Credentials"]?.objectValue ?? [:]
                given["Expiration"] = expiration
                members["Credentials"] = .object(given)
                return Recorded.answer(operation == "GetId" ? ["IdentityId": "eu-west-1:id"] : members)
            }
            let credentials = credentials(transport)
            for _ in 0..<2 { _ = try? await credentials.credentials() }
        }
        let empty = Recorded.service { _, _ in Recorded.answer([:]) }
        await #expect(throws: AuthError(.unavailable)) { try await credentials(empty).credentials() }
    }
}
