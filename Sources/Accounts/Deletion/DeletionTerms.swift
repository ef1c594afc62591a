// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// On what terms a user's own wish to be deleted is met.
struct DeletionTerms: Sendable {
    /// The time in which signing in undoes it; `nil` for none.
    let grace: TimeSpan?
    private let asksAlways: Bool

    /// Whoever could not sign in again is given no time to.
    init(of user: User, _ settings: DirectorySettings) {
        let seconds = user.isAnonymous ? 0 : settings.deletion.grace
        grace = seconds > 0 ? .seconds(seconds) : nil
        asksAlways = settings.deletion.reauthentication == .always
    }

    /// Whether the user must first prove anew who they are. Whoever is anonymous has nothing to prove it by.
    ///
    /// - Parameters:
    ///   - session: of the call; `nil` where nothing says what its holder has proved.
    ///   - asksForProof: whether the dialect asks for it by itself.
    func needsProof(_ session: Session?, asksForProof: Bool, at now: Instant) -> Bool {
        guard asksForProof || asksAlways else { return false }
        guard let session else { return true }
        if session.methods.contains(where: { $0.name == .anonymous }) { return false }
        return now.age(of: session.authenticatedAt) > DeleteAccount.freshness
    }
}
