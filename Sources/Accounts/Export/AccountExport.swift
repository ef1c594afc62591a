// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// An export whose link was spent, until its file was fetched.
public struct AccountExport: Sendable {
    private let user: User
    private let token: OneTimeToken
    /// Held until the file was fetched, or nobody can any more.
    private let place: WorkUnderWay.Place
    private let ports: AccountPorts
    private let call: CallContext

    init(
        of user: User, by token: OneTimeToken, at place: WorkUnderWay.Place, _ ports: AccountPorts,
        _ call: CallContext
    ) {
        self.user = user
        self.token = token
        self.place = place
        self.ports = ports
        self.call = call
    }

    /// The file, a ZIP file of JSON, from its first piece on.
    public func pieces() -> Pieces { Pieces(of: self, from: AccountArchive(of: user, at: call.now)) }

    /// The file piece by piece: the next one is made once it is asked for, which is when the last one is gone.
    public struct Pieces: Sendable {
        private let export: AccountExport
        private var archive: AccountArchive

        fileprivate init(of export: AccountExport, from archive: AccountArchive) {
            self.export = export
            self.archive = archive
        }

        /// - Returns: `nil` after the last one.
        /// - Throws: what the store throws; ``AuthErrorCode/oneTimeTokenInvalid`` where the account ends meanwhile,
        ///   ``AuthErrorCode/requestTooLarge`` for more than four gigabytes. The link is good again then.
        public mutating func next() async throws -> [UInt8]? {
            do {
                let piece: [UInt8]?
                (archive, piece) = try await export.step(archive)
                if piece == nil { export.place.leave() }
                return piece
            } catch {
                await abandon()
                throw error
            }
        }

        /// Nobody is there to take what was made: the link is good again.
        public func abandon() async {
            export.place.leave()
            await export.giveBack()
        }
    }

    private func step(_ archive: AccountArchive) async throws -> (AccountArchive, [UInt8]?) {
        try await ports.store.scan(in: call.directory.id) { [user] tx in
            guard try tx.user(user.id, in: user.directoryID)?.deletedAt == nil else {
                throw AuthError(.oneTimeTokenInvalid)
            }
            var archive = archive
            let piece = try archive.next(tx)
            return (archive, piece)
        }
    }

    /// Unless the user has another link by now, or whatever ends links has ended this one.
    private func giveBack() async {
        let (ports, call, token, user) = (ports, call, token, user)
        // A task of its own: what has failed may be that this one was cancelled, and whoever went away is to come
        // again.
        await Task {
            try? await ports.write(call) { step in
                guard let now = try step.tx.user(user.id, in: step.directory), now.deletedAt == nil,
                    now.endedCodes == user.endedCodes, now.passwordChangedAt == user.passwordChangedAt,
                    now.tokensValidSince == user.tokensValidSince,
                    try step.tx.oneTimeToken(of: user.id, purpose: .export, in: step.directory) == nil
                else { return }
                try step.tx.replace(token)
            }
        }.value
    }
}
