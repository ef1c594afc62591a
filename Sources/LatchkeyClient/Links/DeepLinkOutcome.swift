// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// What an app does next about a link.
public enum DeepLinkOutcome: Sendable {
    /// Shows that place.
    case show(AllowedPath)
    /// The place waits until somebody is signed in: ``DeepLinks/afterSignIn()`` gives it.
    case signInFirst
    /// The address is confirmed: `message` is to be shown (G-12.1).
    case confirmed(message: UserMessage, then: AllowedPath?)
    /// The screen for a new password. `proof` goes with it to
    /// `AuthenticationService.finishRecovery(identifier:proof:newPassword:)`; without one the session of the link is
    /// there already, and its password is changed.
    case chooseNewPassword(proof: Secret<String>?, then: AllowedPath?)
    /// The link was good, and the service wants something else of the user before it lets them in, such as a second
    /// factor. A new password is chosen after that, where the link was for one.
    case awaits(AwaitedStep, then: AllowedPath?)
    /// The way back from a browser led to this.
    case signedIn(AuthState)
    /// Somebody is signed in, and the link would put another session in the place of theirs. Whether it is to is for
    /// them to say; ``DeepLinks/open(_:replacingSession:)`` goes on.
    case wouldReplaceSession
    /// Says why the link does nothing.
    case failed(ErrorPresentation)
}
