// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import JOSE
import ServerKit
import TokenVerifier

/// `GET` and `POST /oauth2/userInfo` (OpenID Connect Core, section 5.3): what an access token's client may know of its
/// user.
enum UserInfoEndpoint {
    static func answer(_ call: ProviderCall) async throws -> Response {
        let shown = try token(of: call)
        do {
            return call.withNonce(try await answer(call, shown))
        } catch let error as OAuthError where shown.byProof {
            throw error.byProof
        }
    }

    private static func answer(_ call: ProviderCall, _ shown: (text: String, byProof: Bool)) async throws -> Response {
        let (text, byProof) = shown
        try call.parameters.requireSingle()
        // The issuer names the Directory: the call itself names nothing.
        guard let token = try await call.provider.accessToken(text, at: call.now) else {
            throw OAuthError.invalidToken()
        }
        var call = call
        call.flow.directory = token.issuer.directory
        try await call.requireProof(of: token.token, text, byProof: byProof)
        let claims = token.token.claims
        guard let clientID = claims["client_id"]?.stringValue, let subject = claims.subject,
            let session = claims[AccessToken.sessionClaim]?.stringValue,
            let client = try await call.provider.clients.client(ClientID(clientID), at: call.now),
            client.directoryID == call.directory.id, client.settings.authorization.isEnabled
        else { throw OAuthError.invalidToken() }
        call.flow.client = client
        let scopes = (claims["scope"]?.stringValue ?? "").split(separator: " ").map(String.init)
        guard scopes.contains(Scope.openID) else { throw OAuthError.insufficientScope(Scope.openID) }

        let holder: AuthenticatedUser
        do {
            holder = try await call.accounts.sessionAuthentication(
                user: UserID(subject), session: SessionID(session), call: call.flow)
        } catch let error as AuthError where ErrorTable.entry(for: error.code).status.code < 500 {
            throw OAuthError.invalidToken()
        }
        // What the session's own client asked for by name is not what one that acts in it was given.
        let isActedFor = claims["act"] != nil
        let asked = isActedFor ? [] : ClaimsRequest(holder.session?.grant?.claims ?? [:]).names(in: .userInfo)
        var json: JSONObject = ["sub": .string(subject)]
        let known = try await call.userClaims(of: holder.user).claims(
            of: scopes, and: UserClaims.allowed(asked, of: scopes, to: client))
        for member in known.members { json[member.name] = member.value }
        return Answer.object(json)
    }

    /// The token of a call, which shows it in one way: by the header, or in a form (RFC 6750, section 2). Never by the
    /// query, which is written down on the way (RFC 9700, section 4.3.2). A proof goes with the header alone (RFC 9449,
    /// section 7.1).
    private static func token(of call: ProviderCall) throws(OAuthError) -> (text: String, byProof: Bool) {
        guard call.headers[values: .authorization].count < 2 else {
            throw .invalidRequest("Several Authorization headers")
        }
        let inForm = call.method == .post ? call.parameters["access_token"] : nil
        guard inForm != nil || call.parameters["access_token"] == nil && !call.parameters.isRepeated("access_token")
        else { throw .invalidRequest("The access token belongs into the Authorization header, once") }
        let inHeader = call.headers.accessToken
        guard inForm == nil || inHeader == nil else { throw .invalidRequest("The access token is given twice") }
        if let inHeader { return (inHeader.token, inHeader.scheme == "dpop") }
        guard let token = inForm else {
            // Credentials of another kind are credentials.
            throw call.headers[.authorization] == nil ? .tokenMissing : .invalidToken()
        }
        return (token, false)
    }
}
