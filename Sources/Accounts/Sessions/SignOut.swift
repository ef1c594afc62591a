// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Which of a user's sessions a sign-out ends.
public enum SignOutScope: String, Sendable, CaseIterable {
    case global
    case local
    case others
}

/// Ends sessions at their user's wish.
public struct SignOut: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    public func callAsFunction(
        _ authenticated: AuthenticatedUser, scope: SignOutScope, call: CallContext
    ) async throws {
        let user = authenticated.user
        let current = authenticated.session?.id
        // Without a session of one's own there are no others, and none to end alone.
        let scope = current == nil ? .global : scope
        try await ports.write(call) { step in
            let tx = step.tx
            switch scope {
            case .local:
                if let current {
                    try SessionEnding(step).end(current, because: .signedOut)
                }
            case .global, .others:
                try SessionEnding(step).endAll(
                    of: user.id, except: scope == .others ? current : nil, because: .signedOut)
                if scope == .global, var current = try tx.user(user.id, in: user.directoryID) {
                    current.revokeTokens(at: call.now)
                    current.updatedAt = call.now
                    try tx.update(current)
                }
            }
            var details: JSONObject = ["scope": .string(scope.rawValue)]
            details["session"] = current.map { .string($0.rawValue) }
            try step.record(.signedOut, user, details: details)
        }
    }
}
