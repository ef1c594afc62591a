// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Exchanges a refresh token for the session's next tokens.
public struct RefreshSession: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameter judge: what must hold of the session besides, and what of it is shown to the caller; what it throws
    ///   leaves the token as it was.
    /// - Throws: ``AuthErrorCode/refreshTokenNotFound`` for a text this Directory never issued in this dialect nor took
    ///   over, and for a session that was ended, ``AuthErrorCode/refreshTokenReused`` for a token left behind long ago
    ///   (its session then ends), ``AuthErrorCode/sessionExpired``, ``AuthErrorCode/userBanned``.
    public func callAsFunction(
        _ text: String, call: CallContext,
        judge: @Sendable @escaping (inout Session, any StoreReading) throws -> Void = { _, _ in }
    ) async throws -> IssuedSession {
        // What nobody made costs no transaction.
        guard let token = try await ports.refreshToken(text, in: call) else {
            throw AuthError(.refreshTokenNotFound)
        }
        // Only where tokens may stay is a look worth it: where they rotate, every refresh is a write.
        if !rotates(call),
            let issued = try await ports.store.read({ tx -> IssuedSession? in
                guard var issued = try SessionIssuer.renewal(of: token, call: call, in: tx) else { return nil }
                try judge(&issued.session, tx)
                return issued
            })
        {
            return issued
        }
        let renewal = try await ports.writeBriefly(call) { step in
            let renewal = try SessionIssuer(step).renew(token)
            guard case .issued(var issued) = renewal else { return renewal }
            try judge(&issued.session, step.tx)
            return .issued(issued)
        }
        switch renewal {
        case .issued(let issued): return issued
        case .refused(let error): throw error
        }
    }

    /// Whether a session that this call would open has tokens that rotate; one that it renews is mostly such.
    private func rotates(_ call: CallContext) -> Bool {
        call.rotates ?? call.client?.settings.rotatesRefreshTokens ?? call.settings.sessions.rotationEnabled
    }
}
