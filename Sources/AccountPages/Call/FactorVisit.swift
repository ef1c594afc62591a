// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// In what somebody is asked for a second factor, or sets one up: a sign-in of theirs that is under way, which pages
/// keep by a ticket in their address, or the session that the browser has.
struct FactorVisit: Sendable {
    /// Where a second factor is shown.
    static let path = "/second-factor"
    /// Where one is set up.
    static let newPath = "/factors/new"
    /// Where who has none at hand begins to wait.
    static let lostPath = "/lost-factor"
    static let ticketName = "ticket"

    enum Holder: Sendable {
        case signIn(SignInTicket, PageTicket)
        case session(AuthenticatedUser)
    }

    let holder: Holder
    /// As the address has it; `nil` where it is the session.
    private let text: String?

    /// - Throws: ``AuthErrorCode/flowStateNotFound`` and ``AuthErrorCode/flowStateExpired`` for a ticket that is not
    ///   this browser's, or too old.
    init?(_ call: PageCall, for step: PageTicket.Step) throws(AuthError) {
        guard let text = call.query[Self.ticketName] else { return nil }
        let ticket = try PageTicket(text, for: step, call)
        holder = .signIn(
            try SignInTicket(ticket.ticket, for: step == .enrolment ? .enrolment : .secondFactor, call: call.flow),
            ticket)
        self.text = text
    }

    init(_ authenticated: AuthenticatedUser) {
        holder = .session(authenticated)
        text = nil
    }

    /// Of each page's address.
    var parameters: [(String, String)] { text.map { [(Self.ticketName, $0)] } ?? [] }

    /// Who it is.
    var user: UserID {
        switch holder {
        case .signIn(let ticket, _): ticket.user
        case .session(let authenticated): authenticated.user.id
        }
    }

    /// What the user is called by on the pages.
    var name: String {
        switch holder {
        case .signIn(_, let ticket): ticket.name
        case .session(let authenticated): authenticated.user.label
        }
    }

    /// Whether they said in the sign-in that they want to stay signed in.
    var stays: Bool { if case .signIn(_, let ticket) = holder { ticket.stays } else { false } }

    /// How many minutes are left for it; `nil` where nothing waits.
    func minutesLeft(_ call: PageCall) -> Int64? {
        guard case .signIn(_, let ticket) = holder else { return nil }
        return max(1, ((ticket.until - call.flow.now).seconds + 59) / 60)
    }

    // MARK: What the domain does

    /// What the user may choose from.
    func choices(_ call: PageCall) async throws -> FactorChoices {
        switch holder {
        case .signIn(let ticket, _):
            try await Self.whileOpen { try await call.accounts.userFactors.choices(for: ticket, call: call.flow) }
        case .session(let authenticated):
            try await call.accounts.userFactors.choices(of: authenticated.user, call: call.flow)
        }
    }

    /// Sends a code, where the factor is one whose codes are sent.
    func ask(_ factor: FactorID, _ call: PageCall) async throws -> FactorChallenge {
        switch holder {
        case .signIn(let ticket, _):
            try await Self.whileOpen {
                try await call.accounts.challengeFactor(factor, for: ticket, call: call.flow)
            }
        case .session(let authenticated):
            try await call.accounts.challengeFactor(factor, of: authenticated, call: call.flow)
        }
    }

    /// What the authenticator is asked of a security key that there is, or that is being set up.
    func question(_ factor: FactorID, _ call: PageCall) async throws -> WebAuthnQuestion {
        switch holder {
        case .signIn(let ticket, _):
            try await Self.whileOpen {
                try await call.accounts.challengeFactor.webAuthn(factor, for: ticket, call: call.flow)
            }
        case .session(let authenticated):
            try await call.accounts.challengeFactor.webAuthn(factor, of: authenticated, call: call.flow)
        }
    }

    func enrol(_ factor: NewFactor, _ call: PageCall) async throws -> EnrolledFactor {
        switch holder {
        case .signIn(let ticket, _):
            try await Self.whileOpen { try await call.accounts.enrolFactor(factor, for: ticket, call: call.flow) }
        case .session(let authenticated):
            try await call.accounts.enrolFactor(factor, for: authenticated, call: call.flow)
        }
    }

    /// - Throws: ``AuthErrorCode/flowStateExpired`` for one that is no longer being set up.
    func unfinished(_ factor: FactorID, _ call: PageCall) async throws -> EnrolledFactor {
        do {
            return switch holder {
            case .signIn(let ticket, _):
                try await Self.whileOpen {
                    try await call.accounts.enrolFactor.unfinished(factor, for: ticket, call: call.flow)
                }
            case .session(let authenticated):
                try await call.accounts.enrolFactor.unfinished(factor, of: authenticated.user, call: call.flow)
            }
        } catch let error as AuthError where error.code == .factorNotFound {
            throw AuthError(.flowStateExpired, reason: "the factor counts already, or its time is over")
        }
    }

    /// A ticket that was used, or whose proof holds no more, is of no more use than one that is too old.
    static func whileOpen<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as AuthError where error.code == .invalidCredentials {
            throw AuthError(.flowStateExpired, reason: "the ticket was used, or what it stood for holds no more")
        }
    }
}
