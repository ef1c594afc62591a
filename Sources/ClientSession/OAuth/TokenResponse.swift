// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a token endpoint gives (RFC 6749, section 5.1).
public struct TokenResponse: Sendable {
    /// What the app's API is shown.
    public let accessToken: Secret<String>
    /// Who signed in; only of OpenID providers (OpenID Connect Core 1.0, section 3.1.3.3).
    public let idToken: Secret<String>?
    /// `nil` in the answer to a refresh means that the one before goes on.
    public let refreshToken: Secret<String>?
    /// `nil` where the server does not say (`expires_in` is only recommended).
    public let lifetime: TimeSpan?
    /// `nil` where the server gave what was asked for (RFC 6749, section 5.1).
    public let scopes: [String]?
    /// The answer's `Date`.
    public let serverDate: Instant?

    /// - Parameters:
    ///   - response: any answer, also one of somebody else's who stands between.
    ///   - refreshing: whether it answers a refresh.
    /// - Throws: what the endpoint refused; `unavailable` or `rate_limited` for whatever is no answer of one.
    public init(reading response: HTTPResponse, refreshing: Bool) throws(AuthError) {
        let members = try? JSONObject(
            parsing: response.body, limits: JSONLimits(depth: 16, members: 500, bytes: 256 << 10))
        guard response.status == 200, let members else {
            throw Self.refusal(response, members, refreshing: refreshing)
        }
        guard let access = try Self.token("access_token", members) else {
            throw AuthError(.unavailable, reason: "the token endpoint's answer has no access token")
        }
        guard members["token_type"]?.stringValue?.lowercased() == "bearer" else {
            throw AuthError(.unavailable, reason: "the access token is not a bearer's")
        }
        accessToken = access
        idToken = try Self.token("id_token", members)
        refreshToken = try Self.token("refresh_token", members)
        lifetime = Self.lifetime(members["expires_in"])
        scopes = members["scope"]?.stringValue?.split(separator: " ").map(String.init)
        serverDate = response.date
    }

    private static func refusal(_ response: HTTPResponse, _ members: JSONObject?, refreshing: Bool) -> AuthError {
        if [400, 401, 403].contains(response.status), let error = members?["error"]?.stringValue {
            return AuthError(
                refusedAtToken: error, description: members?["error_description"]?.stringValue, refreshing: refreshing)
        }
        return AuthError(noAnswer: response)
    }

    /// The characters of RFC 6749, appendix A.12, and a bound.
    private static func token(_ name: String, _ members: JSONObject) throws(AuthError) -> Secret<String>? {
        guard let value = members[name], !value.isNull else { return nil }
        guard let text = value.stringValue, (1...(64 << 10)).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw AuthError(.unavailable, reason: "\(name) is not a token") }
        return Secret(text)
    }

    /// Seconds, as a number or as digits; ten years at most.
    private static func lifetime(_ value: JSONValue?) -> TimeSpan? {
        let seconds: Int64? =
            switch value {
            case .integer(let seconds): seconds
            case .number(let seconds) where seconds.magnitude < 1e12: Int64(seconds)
            case .string(let text): Int64(text)
            default: nil
            }
        return seconds.map { .seconds(min(max($0, 0), 315_360_000)) }
    }
}
