// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE
import TokenVerifier

/// The `Logins` of a call: tokens by the names of those who vouch by them.
struct ShownLogins: Sendable {
    private static let shape = WireShape.map(keys: Member("Logins", 1...128), .text(1...50_000), 0...10)

    private let logins: [(name: String, value: String)]
    private let call: IdentityPoolCall

    /// - Throws: `ValidationException`.
    init(_ call: IdentityPoolCall) throws(WireError) {
        self.call = call
        logins = (try Self.shape.read("Logins", of: call.input)?.objectValue?.members ?? []).compactMap { member in
            member.value.stringValue.map { (member.name, $0) }
        }
    }

    var isEmpty: Bool { logins.isEmpty }

    /// This server's own token, where it is what is shown. It stands alone: it says which identity it is.
    func ownToken() throws -> Secret<String>? {
        guard let token = logins.first(where: { $0.name == LoginNames.ownToken })?.value else { return nil }
        guard logins.count == 1 else { throw WireError.parameter("Please provide a valid public provider.") }
        return Secret(token)
    }

    /// - Parameter developer: whether the caller may name the operator's users.
    /// - Throws: the service's errors for names of nobody and tokens that are none.
    func all(in pool: IdentityPool, developer: Bool = false) async throws -> [ShownLogin] {
        var shown: [ShownLogin] = []
        for (name, value) in logins {
            switch try await provider(name, in: pool) {
            case .users(let directory): shown.append(.user(try await user(of: directory, Secret(value))))
            case .upstream(let provider): shown.append(.upstream(provider: provider, token: Secret(value)))
            case .developer:
                guard developer, value.unicodeScalars.count <= 1024 else {
                    throw WireError.parameter("Please provide a valid public provider.")
                }
                shown.append(.developer(subject: value))
            case nil: throw IdentityPoolRefusal.resolution(.notItsLogins)
            }
        }
        return shown
    }

    private func provider(_ name: String, in pool: IdentityPool) async throws -> LoginProvider? {
        if let known = call.names.provider(name, in: pool) { return known }
        guard !pool.openIDSources.isEmpty else { return nil }
        // By its issuer, where what the operator calls it is something else.
        let own = LoginNames.provider(ofIssuer: name, among: try await call.providers())
        return own.flatMap { own in pool.openIDSources.contains { $0.provider == own } ? .upstream(own) : nil }
    }

    // MARK: Users of this server

    /// What an ID token of a user pool says. Whether the pool and the client are the identity pool's is asked of the
    /// flow.
    private func user(of id: DirectoryID, _ token: Secret<String>) async throws -> UserLogin {
        let (dialect, now) = (call.dialect, call.now)
        guard let directory = try await dialect.directories.directory(id, at: now) else {
            throw IdentityPoolRefusal.providerNotSupported
        }
        guard let claimed = ClaimedToken(token) else {
            throw IdentityPoolErrors.invalidToken("Not a valid OpenId Connect identity token.")
        }
        let issuer = dialect.issuer(of: directory)
        guard claimed.claims.issuer == issuer else {
            throw IdentityPoolErrors.invalidToken("Issuer doesn't match providerName")
        }
        guard let client = claimed.claims.audience.first else {
            throw IdentityPoolErrors.invalidToken("Missing a required claim: aud")
        }
        let time = try claimed.judgedAt(now)
        let keys = try await dialect.keys.verificationKeys(of: directory, purpose: .compatibility, at: now)
        let profile = TokenProfile.cognito(
            region: dialect.region, userPoolID: dialect.poolID(of: directory), clientIDs: [client], kind: .id,
            issuer: issuer, leeway: .zero
        ).withKeys(try VerificationKeySet(keys)).issuedHere()
        let verified: VerifiedToken
        do throws(TokenError) {
            verified = try TokenVerifier([profile]) { time }.verify(token.reveal().utf8)
        } catch {
            throw IdentityPoolRefusal.tokenInvalid
        }
        guard let subject = verified.subject else { throw IdentityPoolRefusal.tokenInvalid }
        let claims = verified.claims
        return UserLogin(
            directory: directory, client: ClientID(client), subject: subject,
            session: claims["origin_jti"]?.stringValue.map { SessionID($0) }, claims: claims.members,
            roles: .init(
                all: claims["cognito:roles"]?.arrayValue?.compactMap(\.stringValue) ?? [],
                preferred: claims["cognito:preferred_role"]?.stringValue))
    }
}
