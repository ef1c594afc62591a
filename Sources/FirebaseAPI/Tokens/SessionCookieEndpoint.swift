// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import JOSE

/// `projects/{project}:createSessionCookie`: exchanges an ID token that is good for a cookie that says the same for
/// longer, signed with keys of its own.
enum SessionCookieEndpoint {
    /// Seconds.
    private static let lifetimes: ClosedRange<Int64> = 300...1_209_600

    static func create(_ call: DialectCall) async throws -> Response {
        let (user, call) = try await call.signedIn()
        let lifetime = try call.body.number("validDuration") ?? lifetimes.upperBound
        guard lifetimes.contains(lifetime) else { throw WireError("INVALID_DURATION") }
        guard let text = try call.body.given("idToken"), let token = try? ParsedJWS(parsing: text.utf8),
            var claims = try? JSONObject(parsing: token.payload)
        else { throw AuthError(.tokenInvalid) }
        var end = call.now + .seconds(lifetime)
        if let last = user.session?.notAfter { end = min(end, last) }
        claims["iss"] = .string(FirebaseDialect.cookieIssuerPrefix + call.directory.projectID)
        claims["iat"] = .integer(call.now.seconds)
        claims["exp"] = .integer(end.seconds)
        let key = try await call.dialect.keys.signingKey(.sessionCookies, of: call.directory, at: call.now)
        return Answer.object(["sessionCookie": .string(try JWS.sign(claims, with: key))])
    }
}
