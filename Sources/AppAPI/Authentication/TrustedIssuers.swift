// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes

/// An issuer whose access tokens this API accepts, and the Directory its users are in.
public struct TrustedIssuer: Sendable {
    public var issuer: String
    public var audiences: Set<String>
    public var directory: Directory

    public init(issuer: String, audiences: Set<String>, directory: Directory) {
        self.issuer = issuer
        self.audiences = audiences
        self.directory = directory
    }
}

/// Knows the issuers: where the program is put together, each dialect contributes its own.
public protocol TrustedIssuers: Sendable {
    /// `nil` for an issuer that is not trusted. Compared exactly (RFC 7519, section 4.1.1).
    func issuer(named name: String, at now: Instant) async throws -> TrustedIssuer?
}
