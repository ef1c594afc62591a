// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Stops a recovery of second factors for whoever shows the link of the message that told of it. Their factors and
/// sessions stay as they are.
public struct StopFactorRecovery: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// The link is spent.
    ///
    /// - Parameter token: the link's.
    /// - Throws: ``AuthErrorCode/oneTimeTokenInvalid``, also where there is nothing to stop any more.
    public func callAsFunction(_ token: String, call: CallContext) async throws {
        let isStopped: Bool = try await ports.write(call) { step in
            guard let (_, user) = try SpentProof(step).take(.link(token: token), purposes: [.factorRecoveryStop]),
                let recovery = try step.tx.factorRecovery(of: user.id, in: step.directory),
                recovery.isOpen(at: step.now)
            else { return false }
            try FactorRecoveryEnd(step).stop(of: user, because: "link")
            return true
        }
        guard isStopped else { throw AuthError(.oneTimeTokenInvalid) }
    }
}
