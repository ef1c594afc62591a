// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A backend whose vendor lets people make an account with a password.
public protocol SignUpBackend: IdentityBackend {
    /// - Returns: a session where the vendor gives one at once, else what it awaits.
    func signUp(_ request: SignUpRequest) async throws(AuthError) -> SignInStep
    /// Sends the code or link once more. Says nothing about whether there is such an account.
    func resendConfirmation(to identifier: String) async throws(AuthError)
    /// Shows that the address is the user's. A vendor that gives no session with it returns `nil`.
    func confirmSignUp(identifier: String, code: Secret<String>) async throws(AuthError) -> SignInStep?
}

/// A backend whose vendor confirms the address of who is signed in, and mails to nobody else (G-4.5).
public protocol VerificationBackend: IdentityBackend {
    /// Sends the code or link that shows that the session's address is the user's.
    func sendVerification(_ tokens: TokenSet) async throws(AuthError)
}

/// What an account is made from. The password lives as long as the call (C-13).
public struct SignUpRequest: Sendable {
    /// An address, a number or a user name, as the service takes it.
    public var identifier: String
    /// Kept no longer than the call (C-13).
    public var password: Secret<String>
    /// What else the service is told of the user, by its own names, such as `name` and `locale`.
    public var attributes: [String: String]

    /// Someone who wants an account.
    public init(identifier: String, password: Secret<String>, attributes: [String: String] = [:]) {
        self.identifier = identifier
        self.password = password
        self.attributes = attributes
    }
}

/// A backend whose vendor lets people choose a new password by mail.
public protocol RecoveryBackend: IdentityBackend {
    /// Succeeds whether there is such an account or not (G-3.6).
    func beginRecovery(identifier: String) async throws(AuthError)
    /// - Parameter proof: the code, or the hash of a link, that the mail held.
    /// - Returns: a session where the vendor gives one with it.
    func finishRecovery(
        identifier: String?, proof: Secret<String>, newPassword: Secret<String>
    ) async throws(AuthError) -> SignInStep?
}

/// A backend whose vendor lets a signed-in user change what the account is reached by.
public protocol AccountBackend: IdentityBackend {
    /// Gives the user another way in. Throws `identity_already_linked` where somebody else has it.
    func link(_ proof: SignInProof, to tokens: TokenSet) async throws(AuthError) -> SessionGrant
    /// Takes a way in away. Throws `identity_not_found` for one that the user does not have.
    func unlink(provider: String, from tokens: TokenSet) async throws(AuthError) -> SessionGrant
    /// Sets another password. `current` is `nil` where a fresh sign-in, or the link of a mail, stands in for it.
    func changePassword(
        _ tokens: TokenSet, current: Secret<String>?, new: Secret<String>
    ) async throws(AuthError) -> SessionGrant?
    /// Signs in anew, for what a vendor allows only shortly after a sign-in, and makes no account by it.
    ///
    /// - Returns: the session of whoever it was, or what the service wants first, such as a second factor, which
    ///   ``IdentityBackend/answer(_:with:)`` takes. Who calls compares: another user's shows nothing of this one, and
    ///   is to be ended, as the former session is, once the new one is stored. ``SessionService/reauthenticate(with:)``
    ///   does both, and tells a service again that did not hear of it.
    func reauthenticate(_ tokens: TokenSet, with proof: SignInProof) async throws(AuthError) -> SignInStep
    /// Ends the account for good. Throws `reauthentication_needed` where the service wants a fresh sign-in first, and
    /// `insufficient_assurance` where it wants a second factor.
    @discardableResult
    func deleteAccount(_ tokens: TokenSet) async throws(AuthError) -> AccountDeletion
    /// The account of that session was ended, by this backend or by another service of the app's: what the backend
    /// itself keeps on the device for its user goes too (G-10.5). A backend that keeps nothing needs none.
    func accountEnded(_ tokens: TokenSet) async
}

extension AccountBackend {
    /// Nothing is kept.
    public func accountEnded(_ tokens: TokenSet) async {}
}

/// What a deletion has come to.
public struct AccountDeletion: Sendable, Hashable {
    /// Until when signing in keeps the account. `nil` where it is gone, or the service does not say.
    public var dueAt: Instant?

    /// Gone, or gone by then.
    public init(dueAt: Instant? = nil) {
        self.dueAt = dueAt
    }
}
