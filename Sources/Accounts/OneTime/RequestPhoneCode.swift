// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Sends a code by text message that signs in without a password.
public struct RequestPhoneCode: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Returns alike whether the number is known or not, and whether it gets an account or not.
    ///
    /// - Parameters:
    ///   - createsUser: Whether an unknown number gets an account, if the Directory lets people sign up.
    ///   - userMetadata: For the new account.
    /// - Throws: ``AuthErrorCode/phoneSignInDisabled``, ``AuthErrorCode/textMessagesUnavailable``,
    ///   ``AuthErrorCode/metadataTooLarge``, ``AuthErrorCode/invalidRequest`` for unknown terms,
    ///   ``AuthErrorCode/messageRateLimited`` for everybody alike while the Directory may send nothing more.
    public func callAsFunction(
        _ phone: PhoneNumber, createsUser: Bool = true, userMetadata: JSONObject = [:], call: CallContext
    ) async throws {
        guard call.settings.signUp.phoneEnabled else { throw AuthError(.phoneSignInDisabled) }
        try ports.requireReach(.phone(phone), call: call)
        try call.requireAcceptable(metadata: userMetadata)
        try await call.requireKnownTerms(ports.store)
        let request = ProofRequest(
            purpose: .phoneSignIn, recipient: .phone(phone), action: .magicLinkRequested)
        try await ports.limits.requireRoom(forProvenBy: .sms, call: call, store: ports.store)
        try await ports.write(call) { step in
            var request = request
            var user = try step.tx.user(phone: phone, in: step.directory)
            if createsUser, call.settings.signUp.enabled,
                try step.ports.limits.hasRoom(forUnprovedBy: .sms, call: call, in: step.tx)
            {
                let opened = try PasswordlessAccount(recipient: .phone(phone), userMetadata: userMetadata)
                    .open(isReal: user == nil, step)
                if user == nil { (user, request.isDisabled) = (opened.user, opened.isDisabled) }
            }
            try request.fulfil(for: user, step)
        }
    }
}
