// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Ends a request of a client's whose user came to no sign-in, where the client is to be told why in words of its own.
public struct RefuseAuthorization: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// ``ContinueAuthorization`` answers the client from now on.
    ///
    /// - Parameter browser: which the request was begun in.
    /// - Throws: ``AuthorizationRefusal``, mostly with what makes the request stale.
    public func callAsFunction(
        _ id: PendingAuthorizationID, _ fault: AuthorizationFault, browser: BrowserID?, call: CallContext
    ) async throws {
        try await ports.write(call) { step in
            var pending = try ContinueAuthorization.pending(id, browser: browser, at: step.now, step.tx)
            guard pending.directoryID == step.directory else { throw AuthorizationRefusal(.unknown) }
            pending.fault = fault
            guard try step.tx.update(pending) else { throw AuthorizationRefusal(.completed) }
        }
    }
}

extension ClientAuthorization {
    /// By whom alone users come to the client; `nil` where they may sign in by what they have here, too.
    var ways: [String]? { providersOnly ? identityProviders : nil }
}
