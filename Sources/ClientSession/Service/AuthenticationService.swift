// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What an app signs its users in with. Every way in is behind it, and callers can't tell them apart (H-3).
///
/// One sign-in is under way at a time: the one that began last. Beginning another (by ``signIn(with:)``, ``answer(_:)``,
/// ``signUp(_:)``, ``confirmSignUp(identifier:code:)`` or ``finishRecovery(identifier:proof:newPassword:)``), giving up the step
/// and signing out end the one before: its caller gets `superseded` at once, its task is cancelled, and a session that its
/// service gives all the same is given back. Who goes back from a provider's page and types a password means the password.
///
/// Operations on the account go one after the other. One that ends after its session did is dropped, and its caller gets
/// `superseded`.
public protocol AuthenticationService: AnyObject, Sendable {
    /// Where the app stands now. Never waits.
    var state: AuthState { get }
    /// The states from now on, the one that was told last first, and none twice. Each call makes a listener of its own; a slow one misses states
    /// between two that it sees, never the last.
    func states() -> AsyncStream<AuthState>
    /// Reads what is kept on the device, and asks the service whether it still holds. Called once, at the start.
    func restore() async

    /// - Returns: where the app stands after it: signed in, or what the service awaits.
    /// - Throws: `cancelled` where the user turned back; nothing is to be shown for it.
    @discardableResult
    func signIn(with proof: SignInProof) async throws(AuthError) -> AuthState
    /// The same for nobody but the user who is there, such as by a link that anybody may have sent.
    ///
    /// - Parameter subject: the user's. A session of anybody else is given back.
    /// - Throws: `reauthentication_invalid` where somebody else's came.
    @discardableResult
    func signIn(with proof: SignInProof, as subject: String) async throws(AuthError) -> AuthState
    /// Goes on with what is awaited.
    @discardableResult
    func answer(_ answer: StepAnswer) async throws(AuthError) -> AuthState
    /// Gives up what is awaited.
    func abandonStep() async
    /// Ends the session here first, then at the service. Never fails for lack of a network.
    func signOut(_ options: SignOutOptions) async

    /// An access token that is live now; refreshed first where it must be, once for any number of callers.
    ///
    /// - Throws: `notSignedIn`, `network`, or why the session ended.
    func accessToken() async throws(AuthError) -> Secret<String>
    /// Asks the service who the user is now.
    @discardableResult
    func refreshUser() async throws(AuthError) -> SessionUser

    // What a vendor does not have throws `unsupported`.
    /// Makes an account. Signed in, or awaiting the confirmation of an address.
    @discardableResult
    func signUp(_ request: SignUpRequest) async throws(AuthError) -> AuthState
    /// Has another confirmation sent. Does not say whether there is such an account.
    func resendConfirmation(to identifier: String) async throws(AuthError)
    /// Confirms an address. Where the service gives no session for it, the user signs in: nobody has kept the password
    /// (C-13).
    @discardableResult
    func confirmSignUp(identifier: String, code: Secret<String>) async throws(AuthError) -> AuthState
    /// Has a code or a link sent to whoever forgot their password. Says the same where there is no such account
    /// (G-3.6).
    func beginRecovery(identifier: String) async throws(AuthError)
    /// Sets the new password by the code, or by what the link holds; `identifier` is `nil` where the proof says whose
    /// it is.
    @discardableResult
    func finishRecovery(
        identifier: String?, proof: Secret<String>, newPassword: Secret<String>
    ) async throws(AuthError) -> AuthState
    /// Gives the user another way in.
    func link(_ proof: SignInProof) async throws(AuthError)
    /// Takes a way in away, by the service's name for the provider.
    func unlink(provider: String) async throws(AuthError)
    /// Sets another password; `current` is `nil` after a recovery that has opened the session.
    func changePassword(current: Secret<String>?, new: Secret<String>) async throws(AuthError)
    /// Proves once more who is there, before what the service wants that for. Throws where it is somebody else.
    ///
    /// - Returns: what the service wants first, such as a second factor, to be answered by
    ///   ``SecondFactorService/raise(_:with:)``; `nil` when it is done. Until then the session is the one that it was.
    @discardableResult
    func reauthenticate(with proof: SignInProof) async throws(AuthError) -> AwaitedStep?
    /// Ends the account for good, and the session with it: nothing of the user's stays on the device (G-10.5).
    @discardableResult
    func deleteAccount() async throws(AuthError) -> AccountDeletion
}
