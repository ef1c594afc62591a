// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What an app signs its users in with. Every way in is behind it, and callers can't tell them apart (H-3).
///
/// What changes the session is carried out one after the other. A result that comes after somebody else signed in, or
/// after a sign-out, is dropped, and its caller gets `superseded`.
public protocol AuthenticationService: AnyObject, Sendable {
    /// Where the app stands now. Never waits.
    var state: AuthState { get }
    /// The states from now on, the current one first. Each call makes a listener of its own; a slow one misses states
    /// between two that it sees, never the last.
    func states() -> AsyncStream<AuthState>
    /// Reads what is kept on the device, and asks the service whether it still holds. Called once, at the start.
    func restore() async

    /// - Returns: where the app stands after it: signed in, or what the service awaits.
    /// - Throws: `cancelled` where the user turned back; nothing is to be shown for it.
    @discardableResult
    func signIn(with proof: SignInProof) async throws(AuthError) -> AuthState
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
    @discardableResult
    func signUp(_ request: SignUpRequest) async throws(AuthError) -> AuthState
    func resendConfirmation(to identifier: String) async throws(AuthError)
    @discardableResult
    func confirmSignUp(identifier: String, code: Secret<String>) async throws(AuthError) -> AuthState
    func beginRecovery(identifier: String) async throws(AuthError)
    @discardableResult
    func finishRecovery(
        identifier: String?, proof: Secret<String>, newPassword: Secret<String>
    ) async throws(AuthError) -> AuthState
    func link(_ proof: SignInProof) async throws(AuthError)
    func unlink(provider: String) async throws(AuthError)
    func changePassword(current: Secret<String>?, new: Secret<String>) async throws(AuthError)
    func reauthenticate(with proof: SignInProof) async throws(AuthError)
    func deleteAccount() async throws(AuthError)
}
