// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import JOSE
import Mail
import ServerKit
import TokenVerifier

/// Finds out which pool a call is about and who it comes from, and refuses it unless that is enough.
///
/// A call names its pool by an app client, by the issuer of an access token, or by the pool's identifier; never by the
/// host.
struct CallAuthentication: Sendable {
    /// A code of a sign-up or of a changed attribute works for a day, and one for a forgotten password for as long as
    /// its link, an hour (the service's guide, "Account confirmation" and "Password recovery"); it is sent as often as
    /// asked for, until the limit is said.
    private static let habits: MessageHabits = {
        var habits = MessageHabits()
        habits.codeLifetime = .hours(24)
        habits.resendInterval = .zero
        habits.tellsLimits = true
        return habits
    }()

    let dialect: CognitoDialect

    func call(
        _ operation: Operation, _ request: Request, _ context: LatchkeyRequestContext
    ) async throws -> DialectCall {
        let bytes = try await RequestReading.bytes(of: request)
        var caller = Caller.anybody
        // Who calls comes before what they say.
        switch operation.access {
        case .pool, .server: caller = .administrator(try administrator(request, body: bytes, at: context.now))
        case .client, .user, .holder: break
        }
        let input = try Self.input(bytes)
        let (directory, client, token) = try await addressee(of: operation, input, at: context.now)
        var flow = CallContext(
            directory: directory, now: context.now, device: DeviceMetadata(request, client: context.client),
            language: MessageLanguage(acceptLanguage: request.headers[.acceptLanguage]),
            links: SiteLinks(dialect.settings.url), dialect: CognitoDialect.name)
        flow.client = client
        flow.confirmation = .account
        flow.origin = context.origin
        flow.habits = Self.habits
        try flow.takeAgreedTerms(of: request.headers)
        // What the service's libraries hand on with a call.
        flow.notes = try input.notes(of: operation.name)
        if let text = try input.members("ClientMetadata")?["agreedTerms"]?.stringValue {
            flow.agreedTerms = try TermsLine.references(in: text)
        }
        if let token {
            let authenticated = try await user(of: token, &flow)
            flow.actor = .user(authenticated.user.id)
            caller = .user(authenticated)
        }
        if case .administrator(let key) = caller { flow.actor = .administrator(key) }
        return DialectCall(dialect: dialect, flow: flow, input: input, caller: caller)
    }

    /// Whose Directory a call is to, and through which client or by which token it says so.
    private func addressee(
        of operation: Operation, _ input: Input, at now: Instant
    ) async throws -> (directory: Directory, client: Client?, token: JWTClaims?) {
        switch operation.access {
        case .client:
            let client = try await self.client(try input.required(.clientID), at: now)
            return (try await directory(of: client, at: now), client, nil)
        case .user:
            let (token, directory) = try await self.token(try input.required(.accessToken), at: now)
            return (directory, nil, token)
        case .holder:
            if let text = try input.text(.accessToken) {
                let (token, directory) = try await self.token(text, at: now)
                return (directory, nil, token)
            }
            let client = try await holder(of: try input.required(FactorSession.member), at: now)
            return (try await directory(of: client, at: now), client, nil)
        case .pool:
            let directory = try await pool(try input.required(.userPoolID), at: now)
            guard let id = try input.text(.clientID),
                !operation.takesEveryClient || id != CustomizationEndpoints.everyClient
            else { return (directory, nil, nil) }
            return (directory, try await self.client(id, of: directory, at: now), nil)
        case .server:
            return (try await standing(at: now), nil, nil)
        }
    }

    // MARK: Pools and clients

    private func client(_ id: String, at now: Instant) async throws -> Client {
        guard let client = try await dialect.clients.client(ClientID(id), at: now) else { throw WireError.noClient(id) }
        return client
    }

    /// The client that a sign-in is under way by. The flow that takes the session says whether it is one.
    private func holder(of session: String, at now: Instant) async throws -> Client {
        guard let session = FactorSession(session),
            let client = try await dialect.clients.client(session.client, at: now)
        else { throw FactorSession.invalid }
        return client
    }

    private func client(_ id: String, of directory: Directory, at now: Instant) async throws -> Client {
        guard let client = try await dialect.clients.client(ClientID(id), at: now), client.directoryID == directory.id
        else { throw WireError.noClient(id) }
        return client
    }

    private func directory(of client: Client, at now: Instant) async throws -> Directory {
        guard let directory = try await dialect.directories.directory(client.directoryID, at: now) else {
            throw WireError.noClient(client.id.rawValue)
        }
        return directory
    }

    private func pool(_ id: String, at now: Instant) async throws -> Directory {
        guard let directoryID = dialect.directoryID(ofPool: id),
            let directory = try await dialect.directories.directory(directoryID, at: now)
        else { throw WireError.noPool(id) }
        return directory
    }

    /// For operations about no pool: the Directory that is always there.
    func standing(at now: Instant) async throws -> Directory {
        guard let directory = try await dialect.directories.directory(named: DirectoryCatalog.defaultName, at: now)
        else { throw AuthError(.unavailable, reason: "no default directory") }
        return directory
    }

    static func input(_ bytes: [UInt8]) throws(WireError) -> Input {
        if bytes.isEmpty { return Input([:]) }
        do {
            return Input(try JSONObject(parsing: bytes, limits: RequestReading.limits))
        } catch {
            throw WireError("SerializationException", "The request body could not be read as a JSON object")
        }
    }

    // MARK: Callers

    /// - Parameter service: what the signature must be scoped to.
    func administrator(
        _ request: Request, body: [UInt8], service: String = "cognito-idp", at now: Instant
    ) throws(WireError) -> String {
        if dialect.settings.acceptsAnyAdministrator, let key = RequestSignature.claimedKey(in: request.headers) {
            return key
        }
        return try RequestSignature.administrator(
            of: request, body: body, service: service, keys: dialect.settings.accessKeys, now: now)
    }

    /// Judges an access token. What is unverified in it only chooses the keys that it is verified by.
    private func token(_ text: String, at now: Instant) async throws -> (JWTClaims, Directory) {
        let invalid = WireError.notAuthorized("Invalid Access Token")
        let claims: JWTClaims
        let directory: Directory
        do {
            // Any client's token will do; that there is such a client is asked once the token is proven.
            let (token, issuer) = try await dialect.tokens.verify(text, at: now) {
                try await dialect.claimedIssuer(of: $0, at: now)
            }
            (claims, directory) = (token.claims, issuer.directory)
        } catch let error as TokenError {
            throw error.code == .expired ? WireError.notAuthorized("Access Token has expired") : invalid
        }
        guard (claims["scope"]?.stringValue ?? "").split(separator: " ").contains(Substring(HostedScope.account)) else {
            throw WireError.notAuthorized("Access Token does not have required scopes")
        }
        return (claims, directory)
    }

    private func user(of claims: JWTClaims, _ flow: inout CallContext) async throws -> AuthenticatedUser {
        let revoked = WireError.notAuthorized("Access Token has been revoked")
        guard let subject = claims.subject, let session = claims["origin_jti"]?.stringValue,
            let clientID = claims["client_id"]?.stringValue
        else { throw WireError.notAuthorized("Invalid Access Token") }
        // What the client may read and write goes with the client: without it the token allows nothing.
        guard let client = try await dialect.clients.client(ClientID(clientID), at: flow.now),
            client.directoryID == flow.directory.id
        else { throw revoked }
        flow.client = client
        // Whatever takes a user's tokens back ends their sessions. The one that a new password was set in goes on, and
        // with it its tokens.
        do {
            return try await dialect.accounts.sessionAuthentication(
                user: UserID(subject), session: SessionID(session), call: flow)
        } catch let error as AuthError where [.sessionNotFound, .sessionExpired].contains(error.code) {
            throw revoked
        }
    }
}
