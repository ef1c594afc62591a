// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// One call of this dialect: decoded as far as every operation needs it.
struct DialectCall: Sendable, LimitedCall {
    let dialect: FirebaseDialect
    var flow: CallContext
    let body: Input
    let query: [String: String]
    /// The `tenant` of the path, where it has one.
    let tenant: String?
    /// The name of a provider's configuration in the path, where it has one.
    let configuration: String?
    /// All that the path names.
    let parameters: Parameters
    let entry: Gateway.Entry
    let headers: HTTPFields
    /// The server's name as the request has it.
    let authority: String?

    var directory: Directory { flow.directory }
    var now: Instant { flow.now }
    var accounts: AccountFlows { dialect.accounts }
    var isAdministrator: Bool { entry.administrator != nil }

    /// What stands in the path at `name`.
    func parameter(_ name: String) -> String? { parameters.get(name) }

    /// As this call, in the Directory that the caller's token is of, with the user as its actor.
    func signedIn() async throws -> (user: AuthenticatedUser, call: DialectCall) {
        guard let token = try body.given("idToken") else { throw AuthError(.tokenMissing) }
        let (user, directory) = try await IDTokenAuthentication(dialect: dialect).authenticate(
            token, in: flow, tenantIsNamed: try body.given("tenantId") != nil)
        var call = self
        call.flow.directory = directory
        call.flow.actor = .user(user.user.id)
        return (user, call)
    }

    /// Where the link of a message shall lead.
    ///
    /// - Throws: `INVALID_CONTINUE_URI`, `UNAUTHORIZED_DOMAIN`.
    func continueURL() throws(WireError) -> String? {
        guard let url = try body.given("continueUrl") else { return nil }
        guard url.contains("://") else { throw WireError("INVALID_CONTINUE_URI", "Not an absolute URL") }
        guard RedirectPolicy(flow.settings).allows(url) else {
            throw WireError("UNAUTHORIZED_DOMAIN", "Domain not allowlisted by project")
        }
        return url
    }

    func memberText(_ name: String) -> String? {
        do { return try body.given(name) } catch { return "" }
    }

    // MARK: Answers

    /// Adds what a sign-in ends in: tokens, or what a second factor is asked for by.
    ///
    /// - Throws: what ``FactorInfo/ask(_:by:)`` and ``Accounts/SignInStep/session()`` throw.
    func conclude(_ step: SignInStep, _ json: inout JSONObject) async throws {
        if case .secondFactor(let pending) = step { return try FactorInfo.ask(pending, by: &json) }
        try await tokens(try step.session()).add(to: &json)
    }

    /// The tokens of a new or renewed session.
    func tokens(_ issued: IssuedSession) async throws -> TokenSet {
        try await TokenMint(keys: dialect.keys).tokens(for: issued, in: directory, at: now)
    }
}
