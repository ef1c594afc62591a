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

    /// Writes the file, a ZIP file of JSON, piece by piece: the next one is made once the last one is gone.
    ///
    /// - Parameter put: sends a piece on its way; throws where nobody is there to take it.
    /// - Throws: what `put` and the store throw; ``AuthErrorCode/oneTimeTokenInvalid`` where the account ends meanwhile,
    ///   ``AuthErrorCode/requestTooLarge`` for more than four gigabytes. The link is good again then.
    public func write(_ put: (_ piece: [UInt8]) async throws -> Void) async throws {
        defer { place.leave() }
        do {
            var archive = AccountArchive(of: user, at: call.now)
            while let piece = try await next(&archive) { try await put(piece) }
        } catch {
            await giveBack()
            throw error
        }
    }

    private func next(_ archive: inout AccountArchive) async throws -> [UInt8]? {
        let piece: [UInt8]?
        (archive, piece) = try await ports.store.scan(in: call.directory.id) { [archive, user] tx in
            guard try tx.user(user.id, in: user.directoryID)?.deletedAt == nil else {
                throw AuthError(.oneTimeTokenInvalid)
            }
            var archive = archive
            let piece = try archive.next(tx)
            return (archive, piece)
        }
        return piece
    }

    /// Unless the user has another link by now, or whatever ends links has ended this one.
    private func giveBack() async {
        let (ports, call, token, user) = (ports, call, token, user)
        // A task of its own: what has failed may be that this one was cancelled, and whoever went away is to come again.
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
