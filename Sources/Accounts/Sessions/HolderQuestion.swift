// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Whose a session is that an access token names: asked with each call that comes with one.
struct HolderQuestion: StoreQuestion {
    /// One object: it has some twenty values, passes through several hands, and each would copy them.
    final class Answer: Sendable {
        /// `nil` where the session or its user has ended.
        let holder: SessionHolder?
        /// What the account shows.
        let view: ProfileView?

        init(_ holder: SessionHolder?) {
            self.holder = holder
            view = holder.map { ProfileView($0.account, $0.profile) }
        }
    }

    let session: SessionID
    let directory: DirectoryID

    func answer(in tx: any StoreReading) throws -> Answer { Answer(try tx.holder(of: session, in: directory)) }

    func hash(into hasher: inout Hasher) {
        // No two Directories have a session of the same name.
        hasher.combine(session)
    }
}
