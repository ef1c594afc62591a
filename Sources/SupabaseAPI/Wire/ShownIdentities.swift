// SPDX-License-Identifier: Apache-2.0

import AccountModel

/// What a user is known by, as this platform shows it. In the domain whoever has an address has an identity by it; here
/// one by an address comes of a sign-up, a password, a message or a change of address, and whoever came by a provider
/// is known by that alone, whatever address it said.
struct ShownIdentities: Sendable {
    let all: [Identity]
    /// Whether the address is what somebody is known by.
    private let hidesEmail: Bool

    init(_ identities: [Identity], of user: User) {
        let hidesEmail =
            user.passwordHash == nil && identities.contains(where: UserResponse.isFederated)
            && !identities.contains { Self.isEmail($0) && ($0.lastSignInAt != nil || $0.updatedAt != $0.createdAt) }
        self.hidesEmail = hidesEmail
        all = hidesEmail ? identities.filter { !Self.isEmail($0) } : identities
    }

    /// `app_metadata.providers` without what is not shown.
    func names(_ providers: [String]) -> [String] { hidesEmail ? providers.filter { $0 != Self.email } : providers }

    private static let email = "email"
    private static func isEmail(_ identity: Identity) -> Bool { identity.provider == email }
}
