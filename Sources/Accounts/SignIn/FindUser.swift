// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Finds the user whom a person names, for a dialect that must know them before it calls a flow: where a code went,
/// whose challenge it is. Answered to the dialect, which tells a stranger nothing of it; what an operator is shown of
/// users is ``UserAdministration``'s.
public struct FindUser: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// The live user of this address, number, name or identifier.
    public func callAsFunction(_ identifier: SignInIdentifier, call: CallContext) async throws -> User? {
        try await ports.store.read { try $0.user(known: identifier, in: call.directory.id) }
    }

    /// The user whom a token of a dialect's names.
    public func called(_ identifier: String, call: CallContext) async throws -> User? {
        try await ports.store.read { try $0.user(identifier: identifier, in: call.directory.id) }
    }

    /// What a dialect calls a user, also one who is there no more.
    public func identifier(
        of id: UserID, in directory: DirectoryID, for dialect: DialectName
    ) async throws -> String {
        try await ports.store.read { try $0.user(id, in: directory)?.identifier(in: dialect) ?? id.rawValue }
    }

    /// As calling this, with their identities.
    public func record(_ identifier: SignInIdentifier, call: CallContext) async throws -> UserRecord? {
        try await ports.store.read { tx in
            try tx.user(known: identifier, in: call.directory.id).map { try UserRecord($0, tx) }
        }
    }
}
