// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Gives whoever shows the link of ``RequestExport`` everything that is held about its user. It is put together as it
/// is fetched, and kept nowhere (ADR 0063).
public struct ExportAccount: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Spends the link: of presses at once, here and at other servers of the database, one is given the file. A file
    /// that was not fetched to its end gives the link back.
    ///
    /// - Throws: ``AuthErrorCode/oneTimeTokenInvalid``, ``AuthErrorCode/userBanned``; ``AuthErrorCode/rateLimited``
    ///   while the same user's is being fetched, ``AuthErrorCode/overloaded`` while too many are.
    public func callAsFunction(_ token: String, call: CallContext) async throws -> AccountExport {
        let proof = Proof.link(token: token)
        guard let seen = try await InspectProof(ports)(proof, purposes: [.export], call: call) else {
            throw AuthError(.oneTimeTokenInvalid)
        }
        let place = try ports.limits.archives.place(for: seen.user.user.id)
        let spent: (token: OneTimeToken, user: User)? = try await ports.write(call) { step in
            guard let spent = try SpentProof(step).take(proof, purposes: [.export]) else { return nil }
            try call.requireUsable(spent.user)
            try step.record(.dataExported, spent.user)
            return spent
        }
        guard let spent else { throw AuthError(.oneTimeTokenInvalid) }
        return AccountExport(of: spent.user, by: spent.token, at: place, ports, call)
    }
}
