// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import JOSE
import ServerKit

/// `token_uri` of a service account's file: exchanges what the account has signed for an access token (RFC 7523,
/// section 2.1). Its errors have the form of RFC 6749, section 5.2.
enum AccessTokenEndpoint {
    private static let grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    /// Whom assertions are for. Some SDKs name the platform's own address, whatever `token_uri` says.
    private static let audiences: Set<String> = [
        "https://oauth2.googleapis.com/token", "https://accounts.google.com/o/oauth2/token",
        "https://www.googleapis.com/oauth2/v4/token",
    ]
    /// Of what the SDKs ask for, what stands for administering users.
    private static let scopes: Set<String> = [
        "https://www.googleapis.com/auth/cloud-platform", "https://www.googleapis.com/auth/firebase",
        "https://www.googleapis.com/auth/identitytoolkit",
    ]

    private struct Refusal: Error {
        var code: String
        var description: String
    }

    static func post(_ call: DialectCall) async throws -> Response {
        do {
            guard call.body.object["grant_type"]?.stringValue == grant else {
                throw Refusal(code: "unsupported_grant_type", description: "Only JWT bearer assertions are taken.")
            }
            guard let text = call.body.object["assertion"]?.stringValue, let token = try? ParsedJWS(parsing: text.utf8)
            else { throw invalid("Not a signed JWT.") }
            let (key, directory) = try await judge(token, call)
            let access = try call.accounts.serviceAccountAuthentication.accessToken(
                for: key, in: directory, at: call.now)
            var response = Answer.object([
                "access_token": .string(access.reveal()), "token_type": "Bearer",
                "expires_in": .integer(ServiceAccountAuthentication.lifetime),
            ])
            response.headers[.cacheControl] = "no-store"
            return response
        } catch let refusal as Refusal {
            return Answer.object(
                ["error": .string(refusal.code), "error_description": .string(refusal.description)],
                status: .badRequest)
        }
    }

    private static func judge(
        _ token: ParsedJWS, _ call: DialectCall
    ) async throws -> (ServiceAccountKey, Directory) {
        guard let claims = try? JWTClaims(parsing: token.payload), let issuer = claims.issuer,
            let account = ServiceAccountEmail(issuer),
            let directory = try await call.dialect.directories.directory(named: account.project, at: call.now),
            directory.tenantID == nil,
            let key = try await call.accounts.serviceAccountAuthentication.signer(
                of: token, account: account.account, in: directory)
        else { throw invalid("Invalid JWT Signature.") }
        let own = call.dialect.settings.url.text + ServiceAccountFile.tokenPath
        guard claims.audience.count == 1, audiences.contains(claims.audience[0]) || claims.audience[0] == own else {
            throw invalid("The audience is another's.")
        }
        guard AssertionLifetime.holds(for: claims, at: call.now) else {
            throw invalid("Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe.")
        }
        guard claims.subject == nil || claims.subject == issuer else {
            throw Refusal(code: "unauthorized_client", description: "An account speaks for nobody else.")
        }
        let wanted = (claims["scope"]?.stringValue ?? "").split(separator: " ").map(String.init)
        guard !scopes.isDisjoint(with: wanted) else {
            throw Refusal(code: "invalid_scope", description: "None of the scopes is given here.")
        }
        return (key, directory)
    }

    private static func invalid(_ description: String) -> Refusal {
        Refusal(code: "invalid_grant", description: description)
    }
}

/// For how long what a service account signs is good: an hour at most, from the time it was signed.
enum AssertionLifetime {
    /// How far ahead a program's clock may be.
    private static let leeway = TimeSpan.minutes(5)

    static func holds(for claims: JWTClaims, at now: Instant) -> Bool {
        guard let issued = claims.issuedAt, let expires = claims.expiresAt else { return false }
        return issued <= now + leeway && now < expires && issued < expires
            && expires.seconds - issued.seconds <= ServiceAccountAuthentication.lifetime
    }
}
