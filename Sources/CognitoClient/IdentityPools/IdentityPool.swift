// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// Asks an identity pool, and keeps nothing (H-6).
public struct IdentityPool: Sendable {
    private let configuration: IdentityPoolConfiguration
    private let api: CognitoAPI

    /// Asks that pool; nothing is sent yet.
    public init(_ configuration: IdentityPoolConfiguration, transport: any HTTPTransport) {
        self.configuration = configuration
        api = CognitoAPI(service: .identityPools, address: configuration.address, transport: transport)
    }

    /// `GetId`.
    ///
    /// - Parameter logins: tokens by the provider's name, such as `accounts.google.com`. Empty for a guest.
    /// - Throws: `identity_token_invalid`, `identity_provider_not_found`, `not_found` for a pool that is not there.
    public func identity(_ logins: [String: Secret<String>]) async throws(AuthError) -> String {
        var input: JSONObject = ["IdentityPoolId": .string(configuration.identityPoolID)]
        if !logins.isEmpty { input["Logins"] = Self.texts(logins) }
        return try Self.identity(try await api.call("GetId", input, for: .identityPool).members)
    }

    /// `GetCredentialsForIdentity`.
    ///
    /// - Returns: the credentials, and how long they live from now on by the service's clock, where it says what time
    ///   it is.
    public func credentials(
        of identity: String, _ logins: [String: Secret<String>], now: Instant
    ) async throws(AuthError) -> (credentials: TemporaryCredentials, lifetime: TimeSpan) {
        var input: JSONObject = ["IdentityId": .string(identity)]
        if !logins.isEmpty { input["Logins"] = Self.texts(logins) }
        if let role = configuration.roleARN { input["CustomRoleArn"] = .string(role) }
        let answer = try await api.call("GetCredentialsForIdentity", input, for: .identityPool)
        guard let given = answer.members["Credentials"]?.objectValue, let id = given["AccessKeyId"]?.stringValue,
            let key = given["SecretKey"]?.stringValue, let token = given["SessionToken"]?.stringValue,
            let expiresAt = Self.instant(given["Expiration"])
        else { throw AuthError(.unavailable, reason: "the identity pool gave no credentials") }
        let credentials = TemporaryCredentials(
            accessKeyID: id, secretKey: Secret(key), sessionToken: Secret(token), expiresAt: expiresAt,
            identityID: try Self.identity(answer.members))
        // Twelve hours are the most that a role's credentials live.
        return (credentials, min(max(expiresAt - (answer.date ?? now), .zero), .hours(12)))
    }

    /// `GetOpenIdToken`: the pool's own word on who somebody is, for an app's server, or for a token service.
    /// The pool must allow the basic flow (`AllowClassicFlow`).
    public func openIDToken(
        of identity: String, _ logins: [String: Secret<String>]
    ) async throws(AuthError) -> (token: Secret<String>, date: Instant?) {
        var input: JSONObject = ["IdentityId": .string(identity)]
        if !logins.isEmpty { input["Logins"] = Self.texts(logins) }
        let answer = try await api.call("GetOpenIdToken", input, for: .identityPool)
        guard let token = answer.members["Token"]?.stringValue, (1...(64 << 10)).contains(token.utf8.count) else {
            throw AuthError(.unavailable, reason: "the identity pool gave no token")
        }
        return (Secret(token), answer.date)
    }

    private static func texts(_ logins: [String: Secret<String>]) -> JSONValue {
        .object(JSONObject(logins.mapValues { $0.reveal() }))
    }

    private static func identity(_ members: JSONObject) throws(AuthError) -> String {
        guard let identity = members["IdentityId"]?.stringValue, (1...200).contains(identity.utf8.count) else {
            throw AuthError(.unavailable, reason: "the identity pool named no identity")
        }
        return identity
    }

    /// Seconds since 1970, with a fraction or without.
    private static func instant(_ value: JSONValue?) -> Instant? {
        switch value {
        case .integer(let seconds): Instant(seconds: seconds)
        case .number(let seconds) where seconds.magnitude < 1e11: Instant(microseconds: Int64(seconds * 1e6))
        case .string(let text): Instant(rfc3339: text)
        default: nil
        }
    }
}
