// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a session still has to show before its user may do something with their account.
public enum MissingProof: Sendable {
    /// A second factor, by ``StepUp``.
    case secondFactor
    /// Who they are, once more: what was shown of it is too long ago.
    case freshSignIn
}

/// Says beforehand what would be refused otherwise, for pages that ask for it in place and then go on. It allows nothing: each
/// flow asks anew.
public struct FindMissingProof: Sendable {
    /// What the user wants to do.
    public enum Deed: Sendable {
        /// Set up, change or remove a second factor, or make backup codes.
        case factors
        case password
        /// Change the address or the number.
        case address
        /// Be known by an identity provider, or no longer.
        case identities
    }

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Returns: `nil` where nothing is missing, or where the flow asks for it itself: who has a password shows it along with
    ///   what they change.
    public func callAsFunction(
        _ deed: Deed, of authenticated: AuthenticatedUser, call: CallContext
    ) async throws -> MissingProof? {
        guard try await ports.store.read({ try AssuranceRule.isMet(by: authenticated, call, $0) }) else {
            return .secondFactor
        }
        let reauthentication = Reauthentication(authenticated, call: call)
        let isOld =
            switch deed {
            case .factors: false
            case .password: authenticated.user.passwordHash == nil && reauthentication.isNeededForPassword
            case .address:
                authenticated.user.passwordHash == nil
                    && reauthentication.isNeededForIdentity(of: authenticated.user)
            case .identities: reauthentication.isNeededForIdentity(of: authenticated.user)
            }
        return isOld ? .freshSignIn : nil
    }
}
