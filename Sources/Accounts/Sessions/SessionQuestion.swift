// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Whether a token's session may still be used, as ``SessionAuthentication/profile(of:session:in:at:)`` judges it, to be asked
/// in a transaction that is for something else first. The answer says nothing before the token is judged.
public struct SessionQuestion: Sendable {
    private let session: SessionID
    private let user: UserID
    private let directory: Directory
    private let now: Instant

    /// - Parameter user: the token's subject: what its dialect calls the user.
    public init(of session: SessionID, user: UserID, in directory: Directory, at now: Instant) {
        self.session = session
        self.user = user
        self.directory = directory
        self.now = now
    }

    func answer(in tx: any StoreReading) throws -> Bool {
        try SessionAuthentication.holder(of: session, user, in: directory, at: now, tx) != nil
    }
}
