// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Gives whoever shows the link of ``RequestExport`` everything that is held about its user. It is put together then, and kept
/// nowhere (ADR 0063).
public struct ExportAccount: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// The link is spent once the file is there: a fault on the way leaves it good. Of presses at once one makes the file.
    ///
    /// - Returns: a ZIP file of JSON.
    /// - Throws: ``AuthErrorCode/oneTimeTokenInvalid``, ``AuthErrorCode/userBanned``;
    ///   ``AuthErrorCode/requestTooLarge`` for more than four gigabytes; ``AuthErrorCode/rateLimited`` while the same user's
    ///   is being made, ``AuthErrorCode/overloaded`` while too many are.
    public func callAsFunction(_ token: String, call: CallContext) async throws -> [UInt8] {
        let proof = Proof.link(token: token)
        guard let seen = try await InspectProof(ports)(proof, purposes: [.export], call: call) else {
            throw AuthError(.oneTimeTokenInvalid)
        }
        let id = seen.user.user.id
        return try await ports.limits.archives.run(for: id) { try await make(id, by: proof, call) }
    }

    private func make(_ id: UserID, by proof: Proof, _ call: CallContext) async throws -> [UInt8] {
        let archive = try await ports.store.scan(in: call.directory.id) { tx in
            // Somebody may have been quicker: nothing is made for nothing.
            guard try SpentProof.look(at: proof, purposes: [.export], call: call, in: tx) != nil,
                let user = try tx.user(id, in: call.directory.id)
            else { throw AuthError(.oneTimeTokenInvalid) }
            return try AccountArchive(of: user, tx).octets(at: call.now)
        }
        let isSpent: Bool = try await ports.write(call) { step in
            guard let (_, user) = try SpentProof(step).take(proof, purposes: [.export]) else { return false }
            try call.requireUsable(user)
            try step.record(.dataExported, user)
            return true
        }
        guard isSpent else { throw AuthError(.oneTimeTokenInvalid) }
        return archive
    }
}
