// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import CognitoAPI

/// Links beside the codes of this dialect's messages.
@Suite struct MailedLinkTests {
    @Test(
        "R11.4 a message's link leads to the app's own site, where its code is typed, and without one to our own pages")
    func links() async throws {
        for site in [nil, "https://app.example"] {
            let bench = try await CognitoBench(directory: { $0.siteURL = site })
            let client = try await bench.clientID()
            let signUp: JSONObject = [
                "ClientId": .string(client), "Username": "ada@example.com", "Password": .string(CognitoBench.password),
            ]
            _ = try await bench.done("SignUp", signUp)
            let confirmation = try #require(try await bench.message(to: "ada@example.com"))
            #expect(
                confirmation.link?.hasPrefix(site ?? "https://auth.example/account/link?purpose=sign_up&token=")
                    == true,
                "\(confirmation.link ?? "")")
            let code: JSONObject = [
                "ClientId": .string(client), "Username": "ada@example.com",
                "ConfirmationCode": .string(confirmation.code ?? ""),
            ]
            _ = try await bench.done("ConfirmSignUp", code)
            bench.advance(by: .minutes(2))
            _ = try await bench.done("ForgotPassword", ["ClientId": .string(client), "Username": "ada@example.com"])
            let recovery = try #require(try await bench.message(to: "ada@example.com", kind: "recovery"))
            #expect(
                recovery.link?.hasPrefix(site ?? "https://auth.example/account/reset?purpose=recovery&token=") == true,
                "\(recovery.link ?? "")")
        }
    }
}
