// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import ServerKit
import TokenVerifier

/// Who may use an operation.
enum Access: Sendable {
    /// Anybody, without naming the project: links in mail, public keys, health.
    case open
    /// Whoever names the project.
    case project
    /// A signed-in user, by an app of the project's own.
    case user
    /// The same, or a client of the OAuth server that the user lets act for them.
    case holder
    /// The same, who need not name the project: no client has a key of it.
    case unnamedHolder
    /// Whoever shows a good token of an app's of the project; the operation itself finds out who that is and whether
    /// the session goes on (``DialectCall/identified()``).
    case token
    /// The operator's own programs.
    case administrator
}

/// Finds out who a call comes from, and refuses it unless that is enough.
struct CallerAuthentication: Sendable {
    let dialect: SupabaseDialect

    func authenticate(_ headers: HTTPFields, for access: Access, call: CallContext) async throws -> Caller {
        if case .open = access { return .anybody }
        if case .unnamedHolder = access { return .user(try await user(try bearer(headers), call)) }
        let project = try await projectKey(headers, call)
        switch access {
        case .open, .project: return .anybody
        case .user: return .user(try await ownUser(of: try judged(try bearer(headers), call), call))
        case .token:
            let token = try await judged(try bearer(headers), call)
            guard let subject = token.subject else { return .user(try await ownUser(of: token, call)) }
            return .token(subject)
        case .holder, .unnamedHolder: return .user(try await user(try bearer(headers), call))
        case .administrator: return .administrator(try await administrator(headers, project, call))
        }
    }

    /// A client may read the account. What changes it, and what gives others access, is the user's own (ADR 0037).
    static let isClient = WireError(
        .forbidden, "insufficient_scope", "This operation is not for a token that a client was given")

    private func projectKey(_ headers: HTTPFields, _ call: CallContext) async throws -> ProjectKey? {
        guard let text = headers[.apiKey] else {
            guard dialect.settings.requiresAPIKey else { return nil }
            throw WireError(.unauthorized, "no_authorization", "No API key found in request", told: .apiKeyInvalid)
        }
        let key = try await ProjectKeyReader(dialect: dialect).read(text, in: call.directory, at: call.now)
        guard key != nil || !dialect.settings.requiresAPIKey else {
            throw WireError(.unauthorized, "no_authorization", "Invalid API key", told: .apiKeyInvalid)
        }
        return key
    }

    private func bearer(_ headers: HTTPFields) throws -> String {
        guard let token = headers.bearerToken else { throw AuthError(.tokenMissing) }
        return token
    }

    /// What a good token says.
    private struct JudgedToken {
        var user: UserID
        /// `nil` where it names no session.
        var subject: TokenSubject?
    }

    /// The user of an operation that is for no client.
    func ownUser(of subject: TokenSubject, _ call: CallContext) async throws -> AuthenticatedUser {
        try await ownUser(of: JudgedToken(user: subject.user, subject: subject), call)
    }

    private func ownUser(of token: JudgedToken, _ call: CallContext) async throws -> AuthenticatedUser {
        let authenticated = try await user(of: token, call)
        guard !authenticated.isClient else { throw Self.isClient }
        return authenticated
    }

    private func user(_ token: String, _ call: CallContext) async throws -> AuthenticatedUser {
        try await user(of: judged(token, call), call)
    }

    private func judged(_ token: String, _ call: CallContext) async throws -> JudgedToken {
        let claims: JWTClaims
        do {
            claims = try await dialect.tokens.verify(
                token, of: dialect.ownIssuer(of: call.directory), at: call.now
            ).claims
        } catch let error as TokenError {
            guard
                let foreign = try await SharedSecretTokens(dialect: dialect).claims(
                    of: token, in: call.directory, at: call.now)
            else {
                throw AuthError(error.code == .expired ? .tokenExpired : .tokenInvalid, reason: error.description)
            }
            claims = foreign
        }
        guard let subject = claims.subject, claims.sessionID != nil || !claims.namesSession else {
            throw AuthError(.tokenInvalid, reason: "without sub, or its session_id is none")
        }
        return JudgedToken(
            user: UserID(subject),
            subject: claims.sessionID.map {
                TokenSubject(user: UserID(subject), session: SessionID($0), issuedAt: claims.issuedAt)
            })
    }

    private func user(of token: JudgedToken, _ call: CallContext) async throws -> AuthenticatedUser {
        let authentication = dialect.accounts.sessionAuthentication
        return try await Self.said {
            guard let subject = token.subject else {
                return try await authentication.withoutSession(user: token.user, call: call)
            }
            return try await authentication(subject, call: call)
        }
    }

    /// Says in the platform's words why whom a good token names may do nothing.
    static func said<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as AuthError where error.code == .userNotFound {
            throw WireError(.forbidden, "user_not_found", "User from sub claim in JWT does not exist")
        } catch let error as AuthError where error.code == .sessionExpired {
            throw AuthError(.sessionNotFound, reason: "the session has expired")
        }
    }

    private func administrator(
        _ headers: HTTPFields, _ project: ProjectKey?, _ call: CallContext
    ) async throws -> String {
        if headers[.authorization] == nil, case .administrator(let role) = project { return role }
        let token = try bearer(headers)
        switch try await ProjectKeyReader(dialect: dialect).read(token, in: call.directory, at: call.now) {
        case .administrator(let role): return role
        case .anonymous: throw AuthError(.forbidden)
        case nil: break
        }
        // A user whose role is an administrator's is one; any other token is judged first, so that a forged one is
        // not told more than that.
        let authenticated = try await user(token, call)
        // Of a token without a session its own role counts, and that was none of theirs.
        // Nor does a client administrate, whoever lets it act for them.
        guard authenticated.session != nil, !authenticated.isClient,
            let role = authenticated.user.administratorRole(call.settings)
        else {
            throw AuthError(.forbidden)
        }
        // Whoever has an administrator's password alone is none.
        guard
            try await dialect.accounts.sessionAuthentication.isAssured(
                user: authenticated.user.id, session: authenticated.session?.id,
                tokenIssuedAt: authenticated.tokenIssuedAt, in: call.directory, at: call.now)
        else { throw AuthError(.insufficientAssurance) }
        return role
    }
}

extension AuthenticatedUser {
    /// Whether it is a client of the OAuth server that acts for the user.
    var isClient: Bool { session?.grant != nil }
}
