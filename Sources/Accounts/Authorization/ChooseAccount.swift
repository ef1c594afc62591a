// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Goes on as the user who is signed in to the browser, as whoever sits there has chosen.
public struct ChooseAccount: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Without a session nothing is chosen: ``ContinueAuthorization`` then asks for a sign-in.
    ///
    /// - Throws: ``AuthorizationRefusal``.
    public func callAsFunction(
        _ id: PendingAuthorizationID, browser: BrowserID?, session: Secret<String>?, call: CallContext
    ) async throws {
        try await ports.write(call) { step in
            var pending = try ContinueAuthorization.pending(id, browser: browser, at: step.now, step.tx)
            guard pending.directoryID == step.directory else { throw AuthorizationRefusal(.unknown) }
            guard let chosen = try BrowserSessions.session(session, step) else { return }
            pending.chosenSession = chosen.session.id
            guard try step.tx.update(pending) else { throw AuthorizationRefusal(.completed) }
        }
    }
}
