// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Asks whoever gives credentials for other services for some, on this server's word on who an identity is.
public struct IssueTemporaryCredentials: Sendable {
    /// How long they are good, as the platforms' are.
    static let lifetime: TimeSpan = .hours(1)

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameters:
    ///   - role: ``ResolvedIdentity/role(wanted:)``.
    ///   - token: says who the identity is.
    ///   - sessionName: see ``TemporaryCredentialRequest/sessionName``.
    /// - Throws: ``IdentityPoolRefusal/credentials(_:)``.
    public func callAsFunction(
        for role: String, token: Secret<String>, sessionName: String, call: CallContext
    ) async throws(IdentityPoolRefusal) -> TemporaryCredentials {
        guard let issuer = ports.temporaryCredentials else { throw .credentials(.notConfigured) }
        let request = TemporaryCredentialRequest(
            role: role, sessionName: sessionName, token: token, lifetime: Self.lifetime)
        do throws(TemporaryCredentialFailure) {
            return try await issuer.credentials(for: request, now: call.now)
        } catch {
            throw .credentials(error)
        }
    }
}
