// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Binds what was begun in a session to it: a step or an enrolment whose answer comes when somebody else is signed in
/// is never taken for theirs.
struct SessionTicket: Sendable {
    /// How a step goes on.
    enum Way: String, Sendable {
        /// In the session that is there.
        case stepUp
        /// By a sign-in of the same user, whose session takes its place.
        case reauthentication
    }

    private static let (familyName, wayName) = ("session.family", "session.way")

    let family: String?
    let way: Way?

    init(of session: SessionService.CalledSession, _ way: Way? = nil) {
        self.family = session.family
        self.way = way
    }

    init(in ticket: Secret<[String: String]>) {
        let texts = ticket.reveal()
        family = texts[Self.familyName]
        way = texts[Self.wayName].flatMap(Way.init)
    }

    func marking(_ ticket: Secret<[String: String]>) -> Secret<[String: String]> {
        var texts = ticket.reveal()
        texts[Self.familyName] = family
        texts[Self.wayName] = way?.rawValue
        return Secret(texts)
    }

    func marking(_ step: AwaitedStep) -> AwaitedStep {
        var step = step
        step.ticket = marking(step.ticket)
        return step
    }

    /// - Throws: `superseded` where it is another session's.
    func check(_ session: SessionService.CalledSession) throws(AuthError) {
        guard let family, family == session.family else { throw AuthError(.superseded) }
    }
}
