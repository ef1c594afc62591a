// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import Hummingbird

/// Sign-in by what this server knows no provider of, as a project answers in which it is not switched on. What is wrong
/// with a request is said first, in the platform's order.
enum ProviderSignIn {
    /// What the platform says where a provider is not set up.
    static let notFound = WireError("OPERATION_NOT_ALLOWED", "The identity provider configuration is not found.")

    /// `accounts:signInWithGameCenter`
    static func gameCenter(_ call: DialectCall) async throws -> Response {
        if try call.body.given("idToken") != nil { _ = try await call.signedIn() }
        throw notFound
    }

    /// `accounts:issueSamlResponse`
    static func samlResponse(_ call: DialectCall) async throws -> Response {
        _ = try await call.signedIn()
        throw notFound
    }

    /// `v2/accounts:revokeToken`
    static func revokeToken(_ call: DialectCall) async throws -> Response {
        guard try call.body.given("providerId") != nil else { throw WireError("MISSING_PROVIDER_ID") }
        _ = try await call.signedIn()
        throw notFound
    }
}
