// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What the users of a Directory are asked to agree to, for anybody to read.
public struct TermsCatalog: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// What holds now, and what will from its time on.
    public func callAsFunction(call: CallContext) async throws -> (current: [Terms], upcoming: [Terms]) {
        let book = try await ports.store.read { try TermsBook(of: call.directory.id, $0) }
        return (book.current(at: call.now), book.upcoming(at: call.now))
    }
}
