// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import OpenIDClient

/// What ends an account, and gives its user what is held about them: whatever service the app has for it.
public protocol AccountLife: Sendable {
    /// What a deletion means here. `nil` where nobody says.
    func explainDeletion() async throws(AuthError) -> DeletionExplanation?
    /// Deletes the account of whoever is signed in, and clears the device of it.
    func delete() async throws(AuthError) -> AccountDeletion
    /// Has a link mailed to all that is held about the user.
    ///
    /// - Returns: until when it works, where the service says so.
    func requestExport() async throws(AuthError) -> Instant?
}

/// The vendor's own deletion, which explains nothing and exports nothing.
public struct VendorAccount: AccountLife {
    private let service: any AuthenticationService

    /// - Parameter service: whose account.
    public init(_ service: any AuthenticationService) { self.service = service }

    public func explainDeletion() async throws(AuthError) -> DeletionExplanation? { nil }
    public func delete() async throws(AuthError) -> AccountDeletion { try await service.deleteAccount() }
    public func requestExport() async throws(AuthError) -> Instant? { throw AuthError(.unsupported) }
}
