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

    /// The link is spent once the file is there: a fault on the way leaves it good.
    ///
    /// - Returns: a ZIP file of JSON.
    /// - Throws: ``AuthErrorCode/oneTimeTokenInvalid``, ``AuthErrorCode/userBanned``;
    ///   ``AuthErrorCode/requestTooLarge`` for more than four gigabytes.
    public func callAsFunction(_ token: String, call: CallContext) async throws -> [UInt8] {
        let proof = Proof.link(token: token)
        guard let seen = try await InspectProof(ports)(proof, purposes: [.export], call: call) else {
            throw AuthError(.oneTimeTokenInvalid)
        }
        let id = seen.user.user.id
        let archive = try await ports.store.scan(in: call.directory.id) { tx in
            guard let user = try tx.user(id, in: call.directory.id) else { throw AuthError(.oneTimeTokenInvalid) }
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
