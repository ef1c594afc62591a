// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a user has agreed to, to be looked at and taken back (OWASP ASVS 10.7.3).
public struct Consents: Sendable {
    public struct Entry: Sendable {
        public var consent: Consent
        public var client: Client
    }

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// In order of the clients' identifiers.
    public func list(of user: UserID, call: CallContext) async throws -> [Entry] {
        try await ports.store.read { tx in
            try tx.consents(of: user, in: call.directory.id).compactMap { consent in
                try tx.client(consent.clientID).map { Entry(consent: consent, client: $0) }
            }
        }
    }

    /// Takes back what a user has agreed that a client may be given, and with it what the client was given: its
    /// sessions, offline ones too, and codes that are under way.
    ///
    /// - Throws: ``AuthErrorCode/notFound`` where there is no such consent.
    public func revoke(_ client: ClientID, of user: UserID, call: CallContext) async throws {
        try await ports.write(call) { step in
            let tx = step.tx
            guard try tx.deleteConsent(of: user, to: client, in: step.directory) else { throw AuthError(.notFound) }
            let ended = try SessionEnding(step).endAll(of: user, client: client, because: .consentRevoked)
            try tx.deleteAuthorizationCodes(of: user, in: step.directory)
            try step.record(
                .consentRevoked, user: user,
                details: ["client": .string(client.rawValue), "sessions": .integer(Int64(ended))])
        }
    }
}
