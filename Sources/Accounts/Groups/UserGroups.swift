// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The groups that a signed-in user is in now, whatever their token says.
public struct UserGroups: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// In order of precedence, then name.
    public func callAsFunction(of user: UserID, in directory: Directory) async throws -> [Group] {
        try await ports.store.read { try $0.groups(of: user, in: directory.id) }
    }
}
