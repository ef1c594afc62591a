// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import CognitoAPI

/// What an access token may not do of whose user a second factor is known, and was not shown for it.
@Suite("Cognito: operations that want a second factor") struct GuardedOperationTests {
    struct Guarded: Sendable, CustomTestStringConvertible {
        let operation: String
        let members: JSONObject

        init(_ operation: String, _ members: JSONObject = [:]) {
            (self.operation, self.members) = (operation, members)
        }

        var testDescription: String { operation + " " + members.names.joined(separator: " ") }
    }

    private static func attribute(_ name: String, _ value: String) -> JSONObject {
        ["UserAttributes": [["Name": .string(name), "Value": .string(value)]]]
    }

    static let guarded = [
        Guarded(
            "ChangePassword",
            ["PreviousPassword": .string(CognitoBench.password), "ProposedPassword": "Another-horse-8-battery"]),
        Guarded("UpdateUserAttributes", attribute("email", "new@example.com")),
        Guarded("UpdateUserAttributes", attribute("phone_number", "+4915187654321")),
        Guarded("DeleteUserAttributes", ["UserAttributeNames": ["phone_number"]]),
        Guarded("AssociateSoftwareToken"),
        Guarded("SetUserMFAPreference", ["EmailMfaSettings": ["Enabled": false]]),
        Guarded("SetUserSettings", ["MFAOptions": []]),
        Guarded("StartWebAuthnRegistration"),
        Guarded("DeleteUser"),
    ]

    @Test(
        "R14.2 G-9.6 a token from before the factor changes nothing that guards the account, and the next one does",
        arguments: guarded)
    func refused(item: Guarded) async throws {
        let world = try await FactorWorld()
        try await world.provePhone()
        try await world.bench.changeAll {
            ($0.passkeys.enabled, $0.passkeys.relyingPartyID) = (true, "app.example")
        }
        let low = try #require(try await world.password().result("AccessToken"))
        func send(_ operation: String, _ members: JSONObject, _ token: String) async throws -> CognitoBench.Reply {
            try await world.bench.send(operation, members.merging(["AccessToken": .string(token)]))
        }
        // The session in which a factor is switched on goes on, and shows none.
        let on: JSONObject = ["EmailMfaSettings": ["Enabled": true]]
        #expect(try await send("SetUserMFAPreference", on, low).status == 200)
        let before = try await world.bench.done("AdminGetUser", world.named())
        let reply = try await send(item.operation, item.members, low)
        #expect(reply.refusal == "NotAuthorizedException: The user must sign in with a second factor.")
        #expect(try await world.bench.done("AdminGetUser", world.named()) == before)
        // What guards nothing is open to it.
        #expect(try await send("GetUser", [:], low).status == 200)

        let asked = try await world.password()
        let code = try await world.sentCode(to: "alice@example.com")
        let shown = try await world.respond("EMAIL_OTP", ["EMAIL_OTP_CODE": .string(code)], asked)
        let high = try #require(shown.result("AccessToken"), "\(shown.refusal)")
        let done = try await send(item.operation, item.members, high)
        #expect(done.status == 200, "\(done.refusal)")
    }
}
