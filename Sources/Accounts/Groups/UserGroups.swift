// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The groups by which a signed-in user may administrate: those they are in now, whatever their token says.
public struct UserGroups: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// In order of precedence, then name; none for a user who may not (``User/isUnverified``): whoever gave a group to
    /// an address did not mean somebody who only said that it was theirs.
    public func callAsFunction(of user: UserID, in directory: Directory) async throws -> [Group] {
        try await ports.store.read { tx in
            guard let found = try tx.user(user, in: directory.id), !found.isUnverified else { return [] }
            return try tx.groups(of: user, in: directory.id)
        }
    }
}
