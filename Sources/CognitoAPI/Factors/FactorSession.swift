// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// The `Session` of challenges that are about second factors: the ticket of the sign-in, and before it whose it is and
/// what was asked.
///
/// `AssociateSoftwareToken` names nothing else, so the app client stands in it. All but the ticket is open and proves
/// nothing: the ticket is bound to the client, and a code that was sent to the ticket.
struct FactorSession: Sendable {
    static let member = Member("Session", 20...4096, sensitive: true)
    private static let steps: [SignInTicket.Step] = [.secondFactor, .enrolment, .conclusion]

    /// What was sent, and to which factor of the user's.
    struct Asked: Sendable, Equatable {
        var factor: FactorID
        var challenge: FactorChallengeID
    }

    let client: ClientID
    var asked: Asked?
    /// The ticket, as it goes over the wire.
    var ticketText: String

    init(_ client: ClientID, ticket: String, asked: Asked? = nil) {
        self.client = client
        self.asked = asked
        ticketText = ticket
    }

    /// `nil` for a text of another form.
    init?(_ text: String) {
        var parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        // The client's identifier comes first and may have dots; the other three have none.
        guard parts.count >= 4, let ticket = parts.popLast(), let challenge = parts.popLast(),
            let factor = parts.popLast()
        else { return nil }
        client = ClientID(parts.joined(separator: "."))
        ticketText = ticket
        if !factor.isEmpty, !challenge.isEmpty {
            asked = Asked(factor: FactorID(factor), challenge: FactorChallengeID(challenge))
        }
    }

    /// Reads the session of a call that takes one.
    ///
    /// - Throws: `NotAuthorizedException` for one that is not of this kind.
    init(_ call: DialectCall) throws {
        guard let session = FactorSession(try call.input.required(Self.member)) else { throw Self.invalid }
        self = session
    }

    var text: String {
        let asked = [asked?.factor.rawValue ?? "", asked?.challenge.rawValue ?? ""]
        return ([client.rawValue] + asked + [ticketText]).joined(separator: ".")
    }

    /// - Throws: ``AuthErrorCode/flowStateNotFound``, ``AuthErrorCode/flowStateExpired``.
    func ticket(_ call: DialectCall) throws -> SignInTicket {
        try SignInTicket(ticketText, forAnyOf: Self.steps, call: call.flow)
    }

    // MARK: Who answers

    /// The ticket's user, whom the responses must name as well.
    ///
    /// - Throws: as ``ticket(_:)``; `NotAuthorizedException` for a wrong `SECRET_HASH`.
    func holder(_ call: DialectCall, _ responses: Parameters) async throws -> (ticket: SignInTicket, user: User) {
        let name = try responses.username()
        let named = try await call.find(try call.identifier(ofUsername: name))
        // Clients answer by the name that was typed, or by the one that the challenge said.
        try SecretHash.require(
            responses["SECRET_HASH"], usernames: [name] + (named.map(UserWire.names) ?? []),
            client: try call.client())
        let ticket = try ticket(call)
        guard let named, named.id == ticket.user else { throw AuthError(.flowStateNotFound) }
        return (ticket, named)
    }

    static let invalid = WireError.notAuthorized("Invalid session for the user.")

    /// Says in the service's words what a ticket is refused for. What else is wrong with a sign-in at this point was
    /// said before there was one.
    static func judged<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as AuthError where error.code == .invalidCredentials {
            throw WireError.notAuthorized("Invalid session for the user, session can only be used once.")
        }
    }
}
