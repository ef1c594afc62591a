// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

extension DialectCall {
    /// The output of an operation that signs in or refreshes: `AuthenticationResult`, with the refresh token where it
    /// is not the one that the client already has.
    func answer(_ issued: IssuedSession) async throws -> JSONObject {
        let tokens = try await TokenMint(
            keys: dialect.keys, random: accounts.random, region: dialect.region, customize: accounts.customizeToken
        ).tokens(for: issued, issuer: dialect.issuer(of: directory), client: try client(), call: flow)
        var result: JSONObject = [
            "AccessToken": .string(tokens.access.reveal()),
            "ExpiresIn": .integer((issued.accessExpiresAt - now).seconds),
            "TokenType": "Bearer",
        ]
        if issued.renewal != .kept { result["RefreshToken"] = .string(issued.refreshToken.reveal()) }
        result["IdToken"] = tokens.id.map { .string($0.reveal()) }
        if issued.isOnNewDevice, let device = issued.session.rememberedDevice {
            result["NewDeviceMetadata"] = .object(newDevice(device))
        }
        return ["ChallengeParameters": [:], "AuthenticationResult": .object(result)]
    }
}
