// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What only an app meets. The domain's own codes stand for everything a service says.
extension AuthErrorCode {
    /// There is no answer: no network, no way, or no answer in time. Says nothing about the session.
    public static let network = Self(rawValue: "network")
    /// A sign-in was asked for without a network (G-7.5).
    public static let offlineSignIn = Self(rawValue: "offline_login")
    /// The user turned back. Nothing is shown for it (Y-US1).
    public static let cancelled = Self(rawValue: "cancelled")
    /// The request would have left the device in the clear (F-8).
    public static let insecureTransport = Self(rawValue: "insecure_transport")
    /// The other side's certificate is not to be trusted.
    public static let untrustedServer = Self(rawValue: "untrusted_server")
    /// What is kept on the device can't be read or written now.
    public static let storeUnavailable = Self(rawValue: "store_unavailable")
    /// Nobody is signed in.
    public static let notSignedIn = Self(rawValue: "not_signed_in")
    /// Somebody else signed in, or the user signed out, while this was under way. Its result was dropped.
    public static let superseded = Self(rawValue: "superseded")
    /// Offline for so long that only reading is allowed (G-7.2), or nothing (G-7.3).
    public static let offlineReadOnly = Self(rawValue: "offline_read_only")
    /// Offline for longer than the policy lets the app be used (G-7.3).
    public static let offlineBlocked = Self(rawValue: "offline_blocked")
    /// A link that leads where the app does not let links lead (G-12.6).
    public static let invalidRedirect = Self(rawValue: "invalid_redirect")

    /// The codes of this library that no server says.
    public static let allOfClient: [AuthErrorCode] = [
        network, offlineSignIn, cancelled, insecureTransport, untrustedServer, storeUnavailable, notSignedIn,
        superseded, offlineReadOnly, offlineBlocked, invalidRedirect,
    ]

    /// For a word that its service does not have: it stays readable. One that reads as a code does that ends a session,
    /// or as one of this library's alone, is somebody else's and means nothing: whatever stands before a service, such
    /// as a gateway, could sign users out by a word of its own. What is no single word is no code.
    public init(unknownWord word: String) {
        let code = AuthErrorCode(rawValue: word)
        self = code.endsSession || Self.allOfClient.contains(code) || !Self.isWord(word) ? .internalFailure : code
    }

    private static func isWord(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (97...122).contains($0 | 0x20) || (48...57).contains($0) || "_-.".utf8.contains($0)
            }
    }

    /// Whether a service that answers a refresh with it has ended the session for good. Everything else keeps it
    /// (fault F10): a time-out, a limit, a fault of the server's, a page of somebody else's.
    public var endsSession: Bool { SignOutReason(refusal: self) != nil }
}

extension SignOutReason {
    /// Why a session is over that a service refuses to renew. `nil` for what is no definite answer.
    public init?(refusal code: AuthErrorCode) {
        switch code {
        case .sessionExpired, .tokenExpired: self = .sessionExpired
        case .refreshTokenNotFound, .refreshTokenReused, .sessionNotFound, .tokensRevoked, .tokenInvalid:
            self = .sessionRevoked
        case .userBanned: self = .accountDisabled
        case .userNotFound: self = .accountDeleted
        default: return nil
        }
    }
}
