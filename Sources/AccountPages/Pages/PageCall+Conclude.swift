// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

extension PageCall {
    /// Goes on with a session that a sign-in of this browser's has opened, or with the step that comes before one.
    ///
    /// - Parameters:
    ///   - name: what the user named themselves by.
    ///   - notice: what was done on the way, for who is led nowhere else.
    ///   - stays: whether they said on a page before this one that they want to stay signed in.
    func conclude(
        _ next: SignInStep, name: String, notice: AccountNotice? = nil, stays: Bool = false
    ) async throws -> Response {
        let stays = stays || wantsToStay
        func ticket(_ step: PageTicket.Step, _ pending: PendingSignIn) throws -> String {
            try PageTicket(
                step, name: name, ticket: pending.ticket.reveal(), until: flow.now + PageTicket.lifetime, stays: stays
            ).sealed(self)
        }
        switch next {
        case .session(let issued):
            return try await open(issued, notice: notice, stays: stays).response
        case .newPassword(let pending):
            return redirect(to: url("/new-password", [("ticket", try ticket(.newPassword, pending))]))
        case .secondFactor(let pending):
            return try await SecondFactorPage.begin(try ticket(.secondFactor, pending), pending, self)
        case .device: throw AuthError(.secondFactorRequired)
        case .enrolment(let pending):
            return redirect(to: url(FactorVisit.newPath, [("ticket", try ticket(.enrolment, pending))]))
        case .terms(let pending):
            return redirect(to: url(TermsPage.path, [("ticket", try ticket(.terms, pending))]))
        }
    }

    /// The browser's session from now on, and what leads its user to where they were going.
    func open(
        _ issued: IssuedSession, notice: AccountNotice? = nil, stays: Bool
    ) async throws -> (session: BrowserSession, response: Response) {
        let session = try await accounts.browserSessions.begin(issued, over: cookie, call: flow)
        let notice = issued.hasKeptAccount ? .kept : notice
        let target = isOnTheWay ? continuation : url("", notice.map { [("notice", $0.rawValue)] } ?? [])
        return (session, redirect(to: target, cookies: [opening(session.cookie, stays: stays)]))
    }
}
