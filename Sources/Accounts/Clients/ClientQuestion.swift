// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What the store is asked where a client proves itself: an app's own server does with each call of its users'.
struct ClientQuestion: StoreQuestion {
    /// One object, since it passes through several hands.
    final class Answer: Sendable {
        /// The client as it is stored; `nil` for one that is not there, or is another Directory's.
        let client: Client?
        /// Whose the session is; `nil` where it has ended, or it was not asked.
        let holder: SessionHolder?

        init(_ client: Client?, holder: SessionHolder?) {
            self.client = client
            self.holder = holder
        }
    }

    private let client: ClientID
    private let known: Client?
    private let directory: DirectoryID
    private let session: HolderQuestion?

    /// - Parameters:
    ///   - known: the client as it was a moment ago, whose parts are not read again while it is still that.
    ///   - session: asked along with it.
    init(
        _ client: ClientID, knownAs known: Client?, in directory: DirectoryID, and session: HolderQuestion?
    ) {
        self.client = client
        self.known = known
        self.directory = directory
        self.session = session
    }

    func answer(in tx: any StoreReading) throws -> Answer {
        // Whether the client is the one it says or not, so that the time says nothing of it.
        let holder = try session?.answer(in: tx).holder
        guard ClientAdministration.isIdentifier(client.rawValue),
            let found = try tx.client(client, knownAs: known), found.directoryID == directory
        else { return Answer(nil, holder: holder) }
        return Answer(found, holder: holder)
    }

    /// A client of the same version is the same: see ``Client/version``.
    static func == (one: Self, other: Self) -> Bool {
        one.client == other.client && one.known?.id == other.known?.id && one.known?.version == other.known?.version
            && one.directory == other.directory && one.session == other.session
    }

    func hash(into hasher: inout Hasher) {
        // What else there is tells few questions apart that these do not.
        hasher.combine(client)
        hasher.combine(session)
    }
}
