// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE

/// Tells clients of ended sessions, where the operator has registered how (OpenID Connect Back-Channel Logout 1.0,
/// section 2.5): the outbox's transport for ``AccountModel/ClientLogout``.
public struct BackchannelLogout: ProgramTransport {
    private let provider: OpenIDProvider
    private let poster: any FormPosting

    public init(_ provider: OpenIDProvider, poster: any FormPosting) {
        self.provider = provider
        self.poster = poster
    }

    /// - Throws: ``Accounts/ProgramTransportError``: refused by a client that is gone, wants to hear nothing any more
    ///   or says that it can do nothing with the token (section 2.8); unavailable while it does not answer, or may not
    ///   be called.
    public func deliver(_ logout: ClientLogout, id _: OutboxMessageID, at now: Instant) async throws {
        guard let client = try await provider.clients.client(logout.client, at: now),
            let uri = client.settings.authorization.backchannelLogoutURI,
            let directory = try await provider.directories.directory(client.directoryID, at: now)
        else { throw ProgramTransportError.refused("the client is gone, or has no back-channel logout URI") }
        // A token of its own for each try: it lasts for two minutes.
        let subject = try await provider.accounts.findUser.identifier(
            of: logout.user, in: directory.id, for: OpenIDProvider.name)
        let claims = LogoutToken(logout: logout, subject: subject).claims(
            issuer: provider.issuer(of: directory), id: Base64URL.encode(provider.accounts.random.bytes(16)), at: now)
        let key = try await provider.tokenKeys.idTokenKey(
            client.settings.authorization.idTokenAlgorithm, of: directory, at: now)
        let token = try JWS.sign(claims, type: LogoutToken.type, with: key)
        let status: Int
        do throws(FormPostFailure) {
            // The token has no character that a form would spell otherwise.
            status = try await poster.post(form: "logout_token=" + token, to: uri)
        } catch {
            throw ProgramTransportError.unavailable("no answer: \(error.rawValue)")
        }
        switch status {
        case 200..<300: return
        // Too early, too often, or not there for the moment.
        case 408, 425, 429, 500...: throw ProgramTransportError.unavailable("status \(status)")
        default: throw ProgramTransportError.refused("status \(status)")
        }
    }
}
