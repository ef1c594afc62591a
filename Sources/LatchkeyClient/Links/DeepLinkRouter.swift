// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// Says what a link asks for, and refuses what no link of the app's could be (G-12). Pure: it asks nobody and keeps
/// nothing; ``DeepLinks`` acts.
public struct DeepLinkRouter: Sendable {
    /// The schemes that are the app's own (`myapp`, `myapp-dev`), without `://`.
    public var schemes: Set<String>
    /// Hosts whose `https` links the system hands to the app (universal links). Their first segment says what they ask.
    public var webHosts: Set<String>
    /// The host of links that confirm an address (G-12.1).
    public var verificationHost = "verify-email"
    /// The host of links that lead to a new password (G-12.2).
    public var recoveryHost = "reset-password"
    /// The host that browsers come back to.
    public var callbackHost = "auth"
    /// Where links may lead.
    public var allowed: RedirectAllowList
    /// Which of these need nobody to be signed in.
    public var open: RedirectAllowList

    /// Reads links of those schemes and web hosts, and of no other.
    ///
    /// - Parameter allowed: the app's own places; with ``RedirectAllowList/none`` links confirm addresses, lead to a
    ///   new password and bring browsers back, and lead nowhere else.
    public init(
        schemes: Set<String>, webHosts: Set<String> = [], allowed: RedirectAllowList,
        open: RedirectAllowList = .none
    ) {
        self.schemes = Set(schemes.map { $0.lowercased() })
        self.webHosts = Set(webHosts.map { $0.lowercased() })
        self.allowed = allowed
        self.open = open
    }

    private static let verificationKinds: Set<String> = ["signup", "email", "email_change", "invite", "magiclink"]

    /// - Throws: `oneTimeTokenInvalid` for a link of mail that holds no token (G-12.3), `invalidRedirect` for one that
    ///   leads where links may not lead (G-12.6), or is none of the app's.
    public func route(_ link: String) throws(AuthError) -> DeepLink {
        guard let url = LinkURL(link), !url.hasPort else { throw Self.foreign }
        // Of two names that differ in case alone, one reader takes the first and another the second.
        guard Set(url.parameters.map { $0.name.lowercased() }).count == url.parameters.count else {
            throw Self.foreign
        }
        // As one path, whichever way the link is written: `app://plants/42` and `https://app.test/plants/42`.
        let place: String
        if schemes.contains(url.scheme), !["http", "https"].contains(url.scheme) {
            place = "/" + url.host + url.path
        } else if url.scheme == "https", webHosts.contains(url.host) {
            place = url.path
        } else {
            throw Self.foreign
        }
        let segments = place.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        // `app://verify-email/?…` is a habit of some mail programs.
        let action = segments.count == 1 || (segments.count == 2 && segments.last == "") ? segments.first : nil
        switch action.map(String.init) {
        case verificationHost:
            guard let kind = url["type"], Self.verificationKinds.contains(kind) else { throw Self.spent }
            return .verification(tokenHash: try token(in: url), kind: kind, then: try redirect(in: url))
        case recoveryHost:
            guard url["type"] ?? "recovery" == "recovery" else { throw Self.spent }
            return .recovery(tokenHash: try token(in: url), then: try redirect(in: url))
        default: break
        }
        if segments.first.map(String.init) == callbackHost {
            let answers = ["code", "error", "error_code", "access_token", "id_token"]
            guard answers.contains(where: { url[$0] != nil }) else { throw Self.spent }
            _ = try redirect(in: url)
            return .callback(url: Secret(link))
        }
        // A place in the app takes no parameters but its own; what leads on from it is held to the same list.
        _ = try redirect(in: url)
        guard let path = allowed.path(place) else { throw Self.foreign }
        return .path(path)
    }

    private func redirect(in url: LinkURL) throws(AuthError) -> AllowedPath? {
        // Whatever its case: a later reader may not mind it.
        guard let parameter = url.parameters.first(where: { $0.name.lowercased() == "redirect" }) else { return nil }
        guard let path = allowed.path(parameter.value) else { throw Self.foreign }
        return path
    }

    private func token(in url: LinkURL) throws(AuthError) -> Secret<String> {
        guard let token = url["token_hash"], (1...512).contains(token.utf8.count),
            token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw Self.spent }
        return Secret(token)
    }

    private static var foreign: AuthError { AuthError(.invalidRedirect) }
    private static var spent: AuthError { AuthError(.oneTimeTokenInvalid) }
}
