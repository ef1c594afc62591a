// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// Refreshing: by `InitiateAuth`, and by `GetTokensFromRefreshToken`.
enum RefreshEndpoints {
    /// `REFRESH_TOKEN_AUTH` and `REFRESH_TOKEN`, which are one.
    static func initiate(_ call: DialectCall, _ parameters: Parameters) async throws -> JSONObject {
        let token = try parameters.required("REFRESH_TOKEN")
        if try call.client().isConfidential {
            // The call need not say whose the token is, and the hash is made with a name.
            let names = try await holderNames(token, call) + [parameters["USERNAME"]].compactMap(\.self)
            try SecretHash.require(parameters["SECRET_HASH"], usernames: names, client: try call.client())
        }
        return try await call.answer(try await renew(token, call))
    }

    /// Takes the client's secret itself, and gives the next refresh token where they rotate.
    static func exchange(_ call: DialectCall) async throws -> JSONObject {
        let call = try call.onDevice(try call.input.text(DeviceKey.member))
        let token = try call.input.required(Member("RefreshToken", 1...Member.tokenLimit, .token, sensitive: true))
        let client = try call.client()
        try SecretHash.requireSecret(try call.input.text(.clientSecret), client: client)
        guard client.settings.flows.contains(.refresh) || client.settings.rotatesRefreshTokens else {
            throw WireError.parameter("REFRESH_TOKEN_AUTH flow not enabled for this client")
        }
        do {
            var answer = try await call.answer(try await renew(token, call))
            answer["ChallengeParameters"] = nil
            return answer
        } catch let error as AuthError where error.code == .refreshTokenReused {
            throw WireError("RefreshTokenReuseException", "Refresh Token has been revoked")
        }
    }

    /// Says of a token that this client was given that it was revoked, and of any other that it is none.
    private static func renew(_ text: String, _ call: DialectCall) async throws -> IssuedSession {
        do {
            return try await call.accounts.refreshSession(text, call: call.flow)
        } catch let error as AuthError where error.code == .refreshTokenNotFound {
            guard let session = try await call.accounts.inspectRefreshToken(text, call: call.flow)?.session,
                session.clientID == call.flow.client?.id, session.revokedAt != nil
            else { throw error }
            throw WireError.notAuthorized("Refresh Token has been revoked")
        }
    }

    /// The names that the holder of a refresh token goes by.
    ///
    /// - Throws: `NotAuthorizedException` for a text that is no token of the pool's.
    private static func holderNames(_ text: String, _ call: DialectCall) async throws -> [String] {
        guard let user = try await call.accounts.inspectRefreshToken(text, call: call.flow)?.user else {
            throw WireError.notAuthorized("Invalid Refresh Token")
        }
        return UserWire.names(of: user)
    }
}

extension Member {
    static let tokenLimit = 16_384
    static let clientSecret = Member("ClientSecret", 1...128, sensitive: true)
}
