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

/// Says beforehand what would be refused otherwise, for pages that ask for it in place and then go on. It allows
/// nothing: each flow asks anew.
public struct FindMissingProof: Sendable {
    /// What the user wants to do.
    public enum Deed: Sendable {
        /// Change or remove a second factor or a passkey, or make backup codes.
        case factors
        /// Set up a second factor or a passkey.
        case enrolment
        case password
        /// Change the address or the number.
        case address
        /// Be known by an identity provider, or no longer.
        case identities
        /// Be sent everything that is held about them.
        case export
        case deletion
    }

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Returns: `nil` where nothing is missing, or where the flow asks for it itself: who has a password shows it
    ///   along with what they change.
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
            case .enrolment: try await isTooOldForEnrolment(authenticated, reauthentication, call)
            case .export: !RequestExport.isFresh(authenticated, call)
            case .deletion:
                DeletionTerms(of: authenticated.user, call.settings)
                    .needsProof(authenticated.session, asksForProof: true, at: call.now)
            case .password: authenticated.user.passwordHash == nil && reauthentication.isNeededForPassword
            case .address:
                authenticated.user.passwordHash == nil
                    && reauthentication.isNeededForIdentity(of: authenticated.user)
            case .identities: reauthentication.isNeededForIdentity(of: authenticated.user)
            }
        return isOld ? .freshSignIn : nil
    }

    private func isTooOldForEnrolment(
        _ authenticated: AuthenticatedUser, _ reauthentication: Reauthentication, _ call: CallContext
    ) async throws -> Bool {
        guard reauthentication.isNeededForFactor else { return false }
        return try await ports.store.read { try !FactorStanding(of: authenticated.user, call.settings, $0).isSet }
    }
}
