// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Gives back to identity providers what they granted to users who are gone, or known by them no more: what the outbox
/// owes them.
public struct UpstreamRevocations: ProgramTransport {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Throws: ``ProgramTransportError``.
    public func deliver(_ revocation: UpstreamRevocation, id: OutboxMessageID, at now: Instant) async throws {
        let provider: IdentityProvider
        do {
            provider = try await ports.store.read { tx in
                guard let message = try tx.outboxMessage(id) else { throw AuthError(.notFound) }
                return try ConfiguredProviders(tx, ports, in: message.directoryID).usable(revocation.provider)
            }
        } catch let error as AuthError {
            throw SynchronizeUser.isPassing(error)
                ? ProgramTransportError.unavailable(error.code.rawValue)
                // Who it would be given back to is nobody's business any more.
                : ProgramTransportError.refused(error.code.rawValue)
        }
        var tokens = UpstreamTokens()
        if !revocation.token.reveal().isEmpty {
            switch revocation.tokenType {
            case .refreshToken: tokens.refresh = revocation.token
            case .accessToken: tokens.access = revocation.token
            }
        }
        do {
            try await ports.identityProviders.revoke(
                tokens, of: revocation.subject, at: provider, now: now)
        } catch let error where error.code == .identityProviderUnavailable {
            throw ProgramTransportError.unavailable(error.code.rawValue)
        } catch {
            throw ProgramTransportError.refused(error.code.rawValue)
        }
    }
}
