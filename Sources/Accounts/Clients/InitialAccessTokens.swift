// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Makes, lists and revokes what lets programs register themselves as clients (RFC 7591, section 1.2). Every call needs
/// an administrator as its actor, and changes are audited.
public struct InitialAccessTokens: Sendable {
    private static let prefix = "lk_register_"
    private static let maximumUses: Int64 = 1_000_000
    private static let maximumValues = 100
    private static let maximumHost = 255

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameters:
    ///   - name: 1 to 128 characters.
    ///   - grants: what a client that is registered by it may have at most.
    ///   - redirectHosts: see ``InitialAccessToken/redirectHosts``.
    ///   - uses: how many clients may be registered; `nil` for any number.
    ///   - lifetime: `nil` for until it is revoked.
    /// - Returns: the token's text, which is kept nowhere.
    /// - Throws: `AuthErrorCode.invalidRequest` naming the field, `.forbidden`.
    public func create(
        name: String, grants: [ClientAuthorization.Grant] = [.code, .refreshToken],
        scopes: [String] = ClientRegistration.usualScopes, redirectHosts: [String] = [], uses: Int64? = 1,
        lifetime: TimeSpan? = nil, call: CallContext
    ) async throws -> (token: InitialAccessToken, text: Secret<String>) {
        try call.requireAdministrator()
        try Client.requireName(name)
        guard !grants.isEmpty, Set(grants).isSubset(of: ClientRegistration.grants) else {
            throw AuthError(.invalidRequest, reason: "grants that a client may have", field: "grants")
        }
        guard scopes.count <= Self.maximumValues, scopes.allSatisfy(ClientAuthorization.isScope) else {
            throw AuthError(.invalidRequest, reason: "not a list of scopes", field: "scopes")
        }
        guard redirectHosts.count <= Self.maximumValues, redirectHosts.allSatisfy(Self.isHost) else {
            throw AuthError(
                .invalidRequest, reason: "names of hosts, `scheme:` or `*`, in lower case", field: "redirect_hosts")
        }
        guard uses.map({ (1...Self.maximumUses).contains($0) }) ?? true else {
            throw AuthError(.invalidRequest, reason: "1 to \(Self.maximumUses)", field: "uses")
        }
        guard lifetime.map({ $0 > .zero && $0 <= .days(36_500) }) ?? true else {
            throw AuthError(.invalidRequest, reason: "a number of seconds up to a hundred years", field: "expires_in")
        }
        let secret = APIKeySecret(prefix: Self.prefix, random: ports.random)
        let token = InitialAccessToken(
            id: ports.random.identifier(at: call.now), directoryID: call.directory.id, name: name, hash: secret.hash,
            grants: grants, scopes: scopes, redirectHosts: redirectHosts, usesLeft: uses, createdAt: call.now,
            expiresAt: lifetime.map { call.now + $0 })
        try await ports.write(call) { step in
            try step.tx.insert(token)
            try step.record(
                .clientChanged, user: nil, details: ["initial_access_token_created": .string(token.id.rawValue)])
        }
        return (token, secret.text)
    }

    /// The oldest first, those that are good no more too.
    public func list(call: CallContext) async throws -> [InitialAccessToken] {
        try call.requireAdministrator()
        return try await ports.store.read { try $0.initialAccessTokens(in: call.directory.id) }
    }

    /// No client is registered by it from now on. Those that were stay.
    ///
    /// - Throws: `AuthErrorCode.notFound`, also for one that was revoked before, `.forbidden`.
    public func revoke(_ id: InitialAccessTokenID, call: CallContext) async throws {
        try call.requireAdministrator()
        try await ports.write(call) { step in
            guard try step.tx.revokeInitialAccessToken(id, in: step.directory, at: step.now) else {
                throw AuthError(.notFound, reason: "no such token, or revoked before")
            }
            try step.record(
                .clientChanged, user: nil, details: ["initial_access_token_revoked": .string(id.rawValue)])
        }
    }

    /// A host's name or address as ``RedirectURL`` has it, a scheme with its colon, or `*`.
    private static func isHost(_ text: String) -> Bool {
        guard text != "*" else { return true }
        return (1...maximumHost).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 48...57, 97...122, 43, 45, 46, 58, 91, 93: true
                default: false
                }
            }
    }
}

extension InitialAccessToken {
    /// What a client that is registered by this token gets of what it asks for: no grant and no scope beyond the
    /// token's, nobody's consent taken for given, and no place that this server would post to.
    ///
    /// - Parameter left: what an operator has written of the client, which holds in place of what the token says.
    /// - Throws: ``AuthErrorCode/invalidRequest`` naming the field, where nothing is left of it, or a place is not
    ///   allowed.
    func bounded(
        _ asked: ClientRegistration, _ left: SelfRegistration.Left = SelfRegistration.Left()
    ) throws(AuthError) -> ClientRegistration {
        var registration = asked
        let grants = (asked.grants ?? [.code]).filter((left.grants ?? self.grants).contains)
        guard !grants.isEmpty else {
            throw AuthError(.invalidRequest, reason: "none of these may be registered", field: "grants")
        }
        let most = left.scopes ?? self.scopes
        let scopes = asked.scopes.map { $0.filter(most.contains) } ?? most
        guard !scopes.isEmpty || asked.scopes?.isEmpty ?? true else {
            throw AuthError(.invalidRequest, reason: "none of these may be registered", field: "scopes")
        }
        for (field, written, places) in [
            ("redirect_uris", left.redirectURIs, asked.redirectURIs ?? []),
            ("post_logout_uris", left.signOutURIs, asked.postLogoutURIs ?? []),
        ] where !places.allSatisfy({ written?.contains($0) ?? allows($0) }) {
            throw AuthError(.invalidRequest, reason: "a place that may not be registered", field: field)
        }
        registration.grants = grants
        registration.scopes = scopes
        registration.resources = []
        registration.consent = .remembered
        registration.backchannelLogoutURI = .clear
        return registration
    }

    private func allows(_ place: String) -> Bool {
        guard let url = RedirectURL(place) else { return false }
        guard url.scheme == "https" || url.scheme == "http" else { return redirectHosts.contains(url.scheme + ":") }
        return redirectHosts.contains("*") || redirectHosts.contains(url.host)
            || redirectHosts.isEmpty && url.isLoopback
    }
}
