// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto

/// A ticket that is kept for its holder, since clients of some protocols carry none from one call of a sign-in to the
/// next.
///
/// They show instead the public number of the step before once more, of which they alone know the secret one
/// (RFC 5054, section 2.5.4): whoever knows only the number can't take the step.
struct KeptTicket {
    private static let key = "ticket"

    private let step: FlowStep

    init(_ step: FlowStep) {
        self.step = step
    }

    /// - Parameter number: A, of the proof that the sign-in has got so far by.
    func keep(_ pending: PendingSignIn, for number: [UInt8]) throws {
        let ticket = pending.ticket.reveal()
        let expiry = try SignInTicket(ticket, forAnyOf: SignInTicket.Step.allCases, call: step.call).expiresAt
        try step.tx.insert(
            FactorChallenge(
                id: step.random.identifier(), directoryID: step.directory, userID: pending.record.user.id,
                factorID: nil, holder: Self.holder(number, step.call), data: [Self.key: .string(ticket)],
                createdAt: step.now, expiresAt: expiry))
    }

    /// - Throws: ``AuthErrorCode/flowStateNotFound``.
    static func find(
        of user: UserID?, for number: [UInt8], _ call: CallContext, _ tx: any FactorReading
    ) throws -> String {
        guard
            let kept = try user.flatMap({
                try tx.latestChallenge(of: $0, holder: holder(number, call), in: call.directory.id)
            }), let ticket = kept.data[key]?.stringValue
        else { throw AuthError(.flowStateNotFound) }
        return ticket
    }

    private static func holder(_ number: [UInt8], _ call: CallContext) -> String {
        let hash = Hex.encode(SHA256.hash(data: Array(number.drop { $0 == 0 })))
        return ["ticket", call.dialect?.rawValue ?? "", call.client?.id.rawValue ?? "", hash].joined(separator: " ")
    }
}
