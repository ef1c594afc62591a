// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import TestBench

/// What an account may have come to before its user signs in; each by what brings an account there, not by its trace.
///
/// A column of ``SignInTable``: whoever adds a state adds what every path answers to it.
enum AccountState: String, CaseIterable, Sendable {
    /// Nothing stands in the way.
    case sound
    /// Nobody has proved the address and the number.
    case unverified
    /// An operator has banned the user until further notice.
    case disabled
    /// Five wrong passwords.
    case locked
    /// The user has asked for its deletion, and the time of grace is not over.
    case leaving
    /// The user has an authenticator app.
    case factorDue
    /// The Directory demands a second factor of everybody, and the user has none.
    case enrolmentDue
    /// An operator chose the password.
    case temporary
    /// A version of a document that sign-ins demand has taken effect, and the user has not agreed to it.
    case termsDue

    func enter(_ world: SignInWorld) async throws {
        let (accounts, flows) = (world.accounts, world.accounts.flows)
        switch self {
        case .sound: break
        case .unverified:
            try await world.change { ($0.emailVerifiedAt, $0.phoneVerifiedAt, $0.confirmedAt) = (nil, nil, nil) }
        case .disabled:
            var attributes = UserAttributes()
            attributes.ban = .indefinitely
            _ = try await flows.userAdministration.update(world.user, attributes, call: accounts.call())
        case .locked:
            for _ in 0..<5 {
                _ = try? await flows.passwordSignIn(
                    .email(try EmailAddress(SignInWorld.email)), password: Secret("Wrong-horse-7-battery"),
                    call: accounts.call(actor: .unknown))
            }
        case .leaving:
            _ = try await flows.deleteAccount(try await world.signedIn(), asksForProof: false, call: accounts.call())
        case .factorDue:
            let factor = Factor(
                id: accounts.ports.random.identifier(), directoryID: accounts.directory.id, userID: world.user,
                credential: .totp(SignInWorld.appSecret), verifiedAt: accounts.now,
                createdAt: accounts.now)
            try await accounts.ports.store.write { try $0.insert(factor) }
        case .enrolmentDue:
            try await accounts.change { $0.factors.demand = .all }
        case .temporary:
            let due = accounts.now + .days(1)
            try await world.change { $0.temporaryPassword = TemporaryPassword(expiresAt: due) }
        case .termsDue:
            guard let reference = SignInWorld.terms else { throw AuthError(.invalidRequest, field: "terms") }
            let draft = TermsDraft(
                reference: reference, isDemanded: true,
                texts: ["en": Terms.Text(title: "Terms", url: SignInWorld.site + "/terms")])
            try await flows.termsAdministration.publish([draft], call: accounts.call())
        }
    }
}
