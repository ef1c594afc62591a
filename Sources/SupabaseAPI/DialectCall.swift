// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// One call of this dialect: decoded as far as every operation needs it.
struct DialectCall: Sendable, LimitedCall {
    let dialect: SupabaseDialect
    /// How often one client may call the operation.
    let limit: RouteLimit?
    var flow: CallContext
    let body: Input
    let query: [String: String]
    /// The `user_id` of the path, where it has one.
    let userID: String?
    /// The `part_id` of the path, where it has one: of something that belongs to a user or to the project.
    let partID: String?
    let headers: HTTPFields
    /// The server's name as the request has it.
    let authority: String?
    private(set) var caller: Caller
    let path: String

    var directory: Directory { flow.directory }
    var now: Instant { flow.now }
    var accounts: AccountFlows { dialect.accounts }

    var isAdministrator: Bool { if case .administrator = caller { true } else { false } }

    func memberText(_ name: String) -> String? {
        do { return try body.text(name) } catch { return "" }
    }

    /// The call with its user, of an operation that a token alone opens (``Access/token``).
    func identified() async throws -> DialectCall {
        guard case .token(let subject) = caller else { return self }
        let user = try await CallerAuthentication(dialect: dialect).ownUser(of: subject, flow)
        var call = self
        call.caller = .user(user)
        call.flow.actor = .user(user.user.id)
        return call
    }

    /// The signed-in user of an operation that needs one; ``Route`` has checked that there is one.
    func user() throws -> AuthenticatedUser {
        guard case .user(let authenticated) = caller else { throw AuthError(.tokenMissing) }
        return authenticated
    }

    /// Where the request wants the user to end up: by the query, a header of that name, as the platform takes it, or
    /// the body. A `Referer` is not a request.
    func redirectTo() throws -> String? {
        try query["redirect_to"] ?? headers[.redirectTo] ?? body.text("redirect_to")
    }

    /// The PKCE challenge of the request. `plain` is refused: it protects nothing (RFC 9700, section 2.1.1).
    func codeChallenge() throws -> String? {
        let challenge = try body.text("code_challenge")
        let method = try body.text("code_challenge_method")
        switch (challenge, method) {
        case (nil, nil): return nil
        case (let challenge?, let method?):
            guard method.lowercased() == "s256" else {
                throw WireError.validation("code challenge method must be S256")
            }
            guard PKCE.isChallenge(challenge) else {
                throw WireError.validation("code challenge has to be BASE64URL of a SHA-256 digest")
            }
            return challenge
        default:
            throw WireError.validation(
                "PKCE flow requires code_challenge_method and code_challenge")
        }
    }

    /// Counts the call, for an operation that does so itself.
    ///
    /// - Throws: ``AuthErrorCode/rateLimited``.
    func count() throws(AuthError) { try limit?.count(self, by: accounts.limits) }

    // MARK: Answers

    /// This platform's clients know no step between a proof and a session.
    func answer(_ next: SignInStep) async throws -> Response { try await answer(next.session()) }

    func answer(_ issued: IssuedSession, weakPassword: WeakPassword? = nil) async throws -> Response {
        var session = try await sessionResponse(issued).json
        session["weak_password"] = weakPassword.map { .object($0.json) }
        session["provider_token"] = issued.upstream?.access.map { .string($0.reveal()) }
        session["provider_refresh_token"] = issued.upstream?.refresh.map { .string($0.reveal()) }
        var response = Answer.object(session)
        switch issued.renewal {
        case .signedIn, .kept: break
        case .rotated: response.headers[.refreshTokenRotated] = "true"
        case .repeated(let cause):
            response.headers[.refreshTokenReuse] = "true"
            response.headers[.refreshTokenReuseCause] =
                switch cause {
                case .parentOfLive: "fail-to-save"
                case .reuseInterval: "concurrent-refresh"
                }
        }
        return response
    }

    func sessionResponse(_ issued: IssuedSession) async throws -> SessionResponse {
        let token = try await TokenMint(keys: dialect.keys, customize: accounts.customizeToken).accessToken(
            for: issued, issuer: dialect.issuer(of: directory), call: flow)
        return SessionResponse(issued, accessToken: token, in: directory, at: now)
    }

    /// A user whose second factors are shown too, by which clients decide whether to ask for one.
    func answerWithFactors(_ record: UserRecord) async throws -> Response {
        var json = UserResponse.encode(record, in: directory)
        FactorResponse.add(try await accounts.userFactors.summaries(of: record.user.id, call: flow), to: &json)
        return Answer.object(json)
    }

    func answer(_ record: UserRecord) -> Response { Answer.object(UserResponse.encode(record, in: directory)) }
}

/// Who a call comes from.
enum Caller: Sendable {
    case anybody
    case user(AuthenticatedUser)
    /// Whom a good token names, who has not been looked up.
    case token(TokenSubject)
    case administrator(String)
}

extension HTTPField.Name {
    static let refreshTokenRotated = Self.known("sb-auth-refresh-token-rotated")
    static let refreshTokenReuse = Self.known("sb-auth-refresh-token-reuse")
    static let refreshTokenReuseCause = Self.known("sb-auth-refresh-token-reuse-cause")
    static let apiVersion = Self.known(APIVersion.headerName)
    static let apiKey = Self.known("apikey")
    static let redirectTo = Self.known("redirect_to")
    static let totalCount = Self.known("X-Total-Count")
    static let link = Self.known("Link")
    static let errorCode = Self.known("x-sb-error-code")

    /// The names above are tokens (RFC 9110, section 5.1); were one not, its header would only be missing.
    private static func known(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .trailer }
}
