// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a link would do if it were opened.
public struct InspectedProof: Sendable {
    public var purpose: OneTimeToken.Purpose
    /// The address or number that the message went to.
    public var recipient: String
    /// The address that the user wants, for a change of address.
    public var newEmail: EmailAddress?
    public var user: UserRecord
    /// For a sign-up: when it was made, and roughly where (see ``DeviceMetadata/truncatedAddress``). Its owner can tell
    /// theirs by it.
    public var signUp: (at: Instant, place: String?)?

    public init(
        purpose: OneTimeToken.Purpose, recipient: String, newEmail: EmailAddress?, user: UserRecord,
        signUp: (at: Instant, place: String?)? = nil
    ) {
        self.purpose = purpose
        self.recipient = recipient
        self.newEmail = newEmail
        self.user = user
        self.signUp = signUp
    }
}

/// Looks at a link without spending it, as a page does before it asks for a new password.
public struct InspectProof: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// `nil` for a link that ``VerifyProof`` would refuse: unknown, spent, expired, outdated, or for another purpose;
    /// and for a code, which is not looked at without being counted.
    public func callAsFunction(
        _ proof: Proof, purposes: [OneTimeToken.Purpose], call: CallContext
    ) async throws -> InspectedProof? {
        try await ports.store.read { tx in
            guard let token = try SpentProof.look(at: proof, purposes: purposes, call: call, in: tx),
                let user = try tx.user(token.userID, in: call.directory.id), user.deletedAt == nil,
                ProofEffects.isCurrent(token, for: user)
            else { return nil }
            let isChange = token.purpose == .emailChangeNew || token.purpose == .emailChangeCurrent
            return InspectedProof(
                purpose: token.purpose, recipient: token.recipient, newEmail: isChange ? user.pendingEmail : nil,
                user: try UserRecord(user, tx),
                signUp: try token.signUp.flatMap { try tx.signUpAttempt($0, in: call.directory.id) }
                    .map { ($0.createdAt, $0.truncatedAddress) })
        }
    }
}
