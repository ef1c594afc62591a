// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Mails a link and a code that sign in without a password.
public struct RequestMagicLink: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Returns alike whether the address is known or not, and whether it gets an account or not.
    ///
    /// - Parameters:
    ///   - createsUser: Whether an unknown address gets an account, if the Directory lets people sign up.
    ///   - userMetadata: For the new account.
    ///   - welcomes: Whether the first mail to an account that holds nothing yet is a confirmation and not a magic
    ///     link.
    /// - Throws: ``AuthErrorCode/emailSignInDisabled`` where addresses or such links sign nobody in,
    ///   ``AuthErrorCode/invalidRequest`` for a malformed challenge or unknown terms,
    ///   ``AuthErrorCode/metadataTooLarge``, ``AuthErrorCode/mailRateLimited`` for everybody alike while the Directory
    ///   may send nothing more.
    public func callAsFunction(
        _ email: EmailAddress, createsUser: Bool = true, userMetadata: JSONObject = [:],
        welcomes: Bool = true, redirectTo: String? = nil, codeChallenge: String? = nil, call: CallContext
    ) async throws {
        guard call.settings.signUp.emailEnabled, call.settings.signUp.emailLinkEnabled else {
            throw AuthError(.emailSignInDisabled)
        }
        try call.requireAcceptable(metadata: userMetadata)
        try await call.requireKnownTerms(ports.store)
        let request = ProofRequest(
            purpose: .magicLink, recipient: .email(email), redirectTo: redirectTo,
            codeChallenge: try PKCE.checked(codeChallenge), action: .magicLinkRequested)
        try await ports.limits.requireRoom(forProvenBy: .mail, call: call, store: ports.store)
        try await ports.write(call) { step in
            var request = request
            var user = try step.tx.user(email: email, in: step.directory)
            if createsUser, call.settings.signUp.enabled,
                try step.ports.limits.hasRoom(forUnprovedBy: .mail, call: call, in: step.tx)
            {
                let opened = try PasswordlessAccount(recipient: .email(email), userMetadata: userMetadata)
                    .open(isReal: user == nil, step)
                if user == nil { (user, request.isDisabled) = (opened.user, opened.isDisabled) }
            }
            // The first mail to an account that holds nothing to take over welcomes its owner. To one that a stranger
            // may have given a password, it must be a magic link: opening that takes the password away.
            if welcomes, let user, user.emailVerifiedAt == nil, user.passwordHash == nil, user.phoneVerifiedAt == nil,
                !call.settings.signUp.emailAutoConfirm
            {
                request.purpose = .signUpConfirmation
                request.action = .confirmationRequested
            }
            try request.fulfil(for: user, step)
        }
    }
}
