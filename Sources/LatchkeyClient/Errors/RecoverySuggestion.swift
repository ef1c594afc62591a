// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A way on from an error. What an app makes a button of, or a line under the text.
public enum RecoverySuggestion: Sendable, Hashable {
    /// The same once more.
    case retry
    /// The same once more, when there is a network.
    case reconnect
    /// The same once more, but not before that long.
    case wait(TimeSpan)
    /// Something else in the fields.
    case correctInput
    /// The session is over: the sign-in screen.
    case signInAgain
    /// With another provider, or with a password.
    case signInAnotherWay
    /// The address or number is not confirmed yet: the message that it is confirmed by once more.
    case confirmAddress
    /// The link, code or password that was sent is over or was used.
    case requestNewOne
    /// The terms that are to be agreed to first: on this page of the service's, where it names one, or by the app
    /// (``TermsModel``). Then the sign-in once more.
    case agreeToTerms(page: String?)
    /// An address of mail, a page or a number: whatever the app was configured with (Y-E2).
    case contactSupport(String)

    /// The line or button of it.
    public var message: UserMessage {
        switch self {
        case .retry: UserMessage(.wayRetry)
        case .reconnect: UserMessage(.wayReconnect)
        case .wait(let span): UserMessage(.wayWait, ["minutes": String(Minutes.begun(in: span))])
        case .correctInput: UserMessage(.wayCorrect)
        case .signInAgain: UserMessage(.waySignIn)
        case .signInAnotherWay: UserMessage(.wayAnother)
        case .confirmAddress: UserMessage(.wayConfirm)
        case .requestNewOne: UserMessage(.wayNewOne)
        case .agreeToTerms: UserMessage(.wayTerms)
        case .contactSupport(let address): UserMessage(.waySupport, ["address": address])
        }
    }
}
