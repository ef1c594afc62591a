// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import ServerKit

/// What a browser brings along from a provider: in the query, or in the form that one of them has it send.
struct ProviderAnswer: Sendable {
    let method: HTTPRequest.Method
    private let state: String
    private let code: String?
    private let error: String?
    private let description: String?
    private let issuer: String?
    private let user: String?

    private static let stateLimit = 256

    /// - Throws: `bad_json` for a member of another type.
    init(_ call: DialectCall) throws {
        let isForm = !call.body.object.isEmpty
        func value(_ name: String) throws -> String? {
            let text = try isForm ? call.body.text(name) : call.query[name]
            return text.flatMap { $0.isEmpty ? nil : $0 }
        }
        method = isForm ? .post : .get
        state = try value("state") ?? ""
        code = try value("code")
        error = try value("error")
        description = try value("error_description")
        issuer = try value("iss")
        user = try value("user")
    }

    /// What the browser was sent away with.
    ///
    /// - Throws: ``WireError``: `bad_oauth_callback`, `bad_oauth_state`.
    func pending(_ call: DialectCall) async throws -> PendingFederation {
        guard !state.isEmpty else {
            throw WireError(.badRequest, "bad_oauth_callback", "OAuth state parameter missing")
        }
        func bad(_ what: String) -> WireError { WireError(.badRequest, "bad_oauth_state", "OAuth state " + what) }
        guard state.utf8.count <= Self.stateLimit, state.utf8.allSatisfy(Self.isStateOctet) else {
            throw bad("parameter is invalid")
        }
        let browser = BrowserCookies(url: call.dialect.settings.url.text).traveller(in: call.headers)
        do {
            return try await call.accounts.completeFederatedSignIn.pending(
                state: state, binding: browser?.hash, call: call.flow)
        } catch let error as AuthError where error.code == .flowStateNotFound {
            throw bad("not found or expired")
        } catch let error as AuthError where error.code == .flowStateExpired {
            throw bad("has expired")
        }
    }

    /// Where the browser goes once the provider's word is judged: with a code, or with the session itself.
    ///
    /// - Throws: ``RedirectError``.
    func place(
        after pending: PendingFederation, _ continuation: ProviderContinuation, _ call: DialectCall
    ) async throws -> String {
        let target = RedirectTarget(url: continuation.redirectTo)
        let ending: FederationPolicy.Ending =
            continuation.challenge.map { .code(AuthorizationRequest(challenge: $0)) } ?? .session
        let outcome: FederatedOutcome
        do {
            outcome = try await call.accounts.completeFederatedSignIn(
                UpstreamReturn(code: code.map { Secret($0) }, error: error, issuer: issuer, user: user), to: pending,
                policy: call.federationPolicy(ending, isApple: pending.provider == "apple"), call: call.flow)
        } catch let failure as AuthError {
            throw refusal(failure, pending)
        }
        switch outcome.ending {
        case .code(let code): return target.adding(query: [("code", code)])
        case .step(let next):
            do {
                let session = try await call.sessionResponse(next.session())
                return target.adding(fragment: session.fragment(providerTokens: outcome.proof.tokens))
            } catch let failure as AuthError {
                throw refusal(failure, pending)
            }
        case .nothing: throw AuthError(.internalFailure, reason: "a sign-in that ended in nothing")
        }
    }

    private func refusal(_ failure: AuthError, _ pending: PendingFederation) -> RedirectError {
        func fault(_ message: String) -> WireError {
            WireError(.internalServerError, "unexpected_failure", message)
        }
        switch failure.code {
        // Whoever sent the browser here without either has sent what is no answer.
        case .invalidRequest where failure.field == "code":
            return RedirectError(
                WireError(
                    .badRequest, "bad_oauth_callback", "OAuth callback with missing authorization code missing"))
        case .identityProviderRefused, .identityProviderUnavailable:
            if let error { return RedirectError(ofProvider: error, description: description) }
            var wire = fault("Unable to exchange external code: \(code.map { String($0.prefix(4)) } ?? "")")
            if failure.code == .identityProviderUnavailable { wire.status = .serviceUnavailable }
            return RedirectError(wire)
        case .identityTokenInvalid:
            return RedirectError(fault("Error getting user profile from external provider"))
        case .identityEmailMissing:
            return RedirectError(fault("Error getting user email from external provider"))
        default: return RedirectError(WireError(federation: failure, provider: ProviderName(of: pending.provider)))
        }
    }

    /// Base64URL, as ours are, and what else may stand in a UUID.
    private static func isStateOctet(_ octet: UInt8) -> Bool {
        switch octet {
        case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }
}

extension WireError {
    /// What the platform says of a provider's word that it does not act on.
    init(federation error: AuthError, provider: ProviderName) {
        self.init(error)
        switch error.code {
        case .needsConfirmation:
            self.init(
                .unprocessableContent, "provider_email_needs_verification",
                "Unverified email with \(provider.wire). Verify the email with \(provider.wire) in order to sign in")
        case .identityAlreadyLinked where error.field == nil: message = "Identity is already linked"
        default: break
        }
    }
}
