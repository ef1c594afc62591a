// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

@testable import Accounts

extension PasswordBench {
    static let newPassword = "Other-Horse-8"

    /// Changes the signed-in user's account, as the dialect does: the session is looked up first.
    @discardableResult
    func update(
        _ issued: IssuedSession, at call: CallContext? = nil, over store: (any AccountStoring)? = nil,
        _ change: (inout UserChanges) throws -> Void
    ) async throws -> UserRecord {
        var changes = UserChanges()
        try change(&changes)
        let call = call ?? self.call()
        let flow = UpdateUser(store.map { ports(over: $0) } ?? ports)
        return try await flow(changes, of: authenticated(issued, at: call), call: call)
    }

    /// The code that a reauthentication mail carries.
    func nonce(_ issued: IssuedSession, at call: CallContext) async throws -> String? {
        try await RequestReauthentication(ports)(authenticated(issued, at: call), call: call)
        return try await base.messages().first { $0.kind == "reauthentication" }?.code
    }
}
