// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What an app signs its users in with, whichever service is behind it: callers can't tell the services apart (H-3).
///
/// One sign-in is under way at a time: the one that began last. The one before ends when another begins (by
/// ``signIn(with:)``, ``answer(_:)``, ``signUp(_:)``, ``confirmSignUp(identifier:code:)`` or
/// ``finishRecovery(identifier:proof:newPassword:)``), when the step is given up, and when the user signs out. Its
/// caller then gets `superseded` at once, its task is cancelled, and a session that the service opens for it all the
/// same is given back. Someone who goes back from a provider's page and types a password means the password.
///
/// Operations on the account run one after the other. One that ends after its session did is dropped, and its caller
/// gets `superseded`. An operation that a service does not have throws `unsupported`.
public protocol AuthenticationService: AnyObject, Sendable {
    /// Where the app stands now. Never waits.
    var state: AuthState { get }
    /// The states from now on, beginning with the present one, and none twice in a row. Each call makes a listener of
    /// its own. A slow listener may miss states in between, but never the last one.
    func states() -> AsyncStream<AuthState>
    /// Reads the session that is kept on the device, and asks the service whether it still holds. Call it once, at the
    /// start.
    func restore() async

    /// Signs in by a password, a provider, a code or a link.
    ///
    /// - Returns: where the app stands then: signed in, or what the service awaits.
    /// - Throws: `cancelled` where the user turned back; nothing is to be shown for it.
    @discardableResult
    func signIn(with proof: SignInProof) async throws(AuthError) -> AuthState
    /// Signs in nobody but one user: for a link that anybody may have sent to whoever is signed in.
    ///
    /// - Parameter subject: the user's. A session of anybody else is given back.
    /// - Throws: `reauthentication_invalid` where somebody else's came.
    @discardableResult
    func signIn(with proof: SignInProof, as subject: String) async throws(AuthError) -> AuthState
    /// Answers what is awaited, such as a second factor's code.
    @discardableResult
    func answer(_ answer: StepAnswer) async throws(AuthError) -> AuthState
    /// Gives up what is awaited.
    func abandonStep() async
    /// Ends the session here first, then at the service. Never fails for lack of a network.
    func signOut(_ options: SignOutOptions) async

    /// An access token that is valid now. It is refreshed first if need be, once for any number of callers.
    ///
    /// - Throws: `notSignedIn`, `network`, or why the session ended.
    func accessToken() async throws(AuthError) -> Secret<String>
    /// Asks the service who the user is now.
    @discardableResult
    func refreshUser() async throws(AuthError) -> SessionUser

    /// Makes an account.
    ///
    /// - Returns: signed in, or awaiting the confirmation of an address.
    @discardableResult
    func signUp(_ request: SignUpRequest) async throws(AuthError) -> AuthState
    /// Has another confirmation sent. Does not say whether there is such an account.
    func resendConfirmation(to identifier: String) async throws(AuthError)
    /// Confirms an address. Where the service gives no session for it, the user signs in: nobody has kept the password
    /// (C-13).
    @discardableResult
    func confirmSignUp(identifier: String, code: Secret<String>) async throws(AuthError) -> AuthState
    /// Has a code or a link sent to someone who forgot their password. Says the same if there is no such account
    /// (G-3.6).
    func beginRecovery(identifier: String) async throws(AuthError)
    /// Sets the new password by the code, or by what the link holds; `identifier` is `nil` if the proof says whose it
    /// is.
    @discardableResult
    func finishRecovery(
        identifier: String?, proof: Secret<String>, newPassword: Secret<String>
    ) async throws(AuthError) -> AuthState
    /// Gives the user another way in.
    func link(_ proof: SignInProof) async throws(AuthError)
    /// Removes a way in, by the service's name for the provider.
    func unlink(provider: String) async throws(AuthError)
    /// Sets another password; `current` is `nil` after a recovery that has opened the session.
    func changePassword(current: Secret<String>?, new: Secret<String>) async throws(AuthError)
    /// Proves once more who is there, for operations that the service wants that for. Throws if it is somebody else.
    ///
    /// - Returns: what the service wants first, such as a second factor, to be answered by
    ///   ``SecondFactorService/raise(_:with:)``; `nil` when it is done. Until then the session is the one that it was.
    @discardableResult
    func reauthenticate(with proof: SignInProof) async throws(AuthError) -> AwaitedStep?
    /// Ends the account for good, and the session with it: nothing of the user's stays on the device (G-10.5).
    @discardableResult
    func deleteAccount() async throws(AuthError) -> AccountDeletion
}
