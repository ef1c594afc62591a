// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// Links of messages that this server's own account pages take: each does there all that it is for. They are those of
/// the messages that the pages themselves send, and of every dialect's where the app has no place for them.
public struct AccountLinks: VerificationLinks {
    private let url: ServerURL
    private let request: PendingAuthorizationID?
    private let deviceCode: String?

    /// How the pages are told that somebody is on the way to let a device in (RFC 8628, section 3.3.1).
    public static let deviceParameter = "user_code"

    /// - Parameters:
    ///   - request: what the browser is in the midst of, and led back to afterwards.
    ///   - deviceCode: of the device that they are on the way to let in where they are in the midst of no request;
    ///     empty before one was typed.
    public init(url: ServerURL, request: PendingAuthorizationID? = nil, deviceCode: String? = nil) {
        self.url = url
        self.request = request
        self.deviceCode = deviceCode
    }

    public func link(
        for purpose: OneTimeToken.Purpose, token: String, redirectTo _: String, in directory: Directory
    ) -> String {
        let page =
            switch purpose {
            // Whoever is invited chooses a password, as who has forgotten theirs does.
            case .recovery, .invitation: "/reset"
            case .unlock: "/unlock"
            case .export: "/export"
            case .factorRecoveryStop: "/lost-factor/stop"
            default: "/link"
            }
        let kept = request.map { ("request", $0.rawValue) } ?? deviceCode.map { (Self.deviceParameter, $0) }
        let way = kept.map { "&\($0.0)=\(PercentEncoding.encode($0.1.utf8))" } ?? ""
        return home(of: directory) + page + "?purpose=\(purpose.rawValue)&token=\(PercentEncoding.encode(token.utf8))"
            + way
    }

    public func home(of directory: Directory) -> String { url.text + AccountPlace.path(of: directory) }
}
