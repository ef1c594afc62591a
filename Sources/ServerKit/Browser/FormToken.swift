// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto
import HTTPTypes

/// Proves that a form comes from a page that this server gave this very browser, also before anybody has signed in
/// there (OWASP ASVS 5.0, 3.5.1): an HMAC over the browser's identifier, the page and what the browser is in the midst
/// of. A form fetched in one browser is worth nothing in another, and none is worth anything on another page.
public enum FormToken {
    /// What a form calls it.
    public static let field = "formToken"

    /// The token of one page's forms: Base64URL, 43 characters.
    ///
    /// - Parameters:
    ///   - page: its name, which has no zero byte.
    ///   - request: the pending authorization that the page is for.
    ///   - session: the one whose user the page is about. Somebody else may have signed in in the browser since it was
    ///     shown, and what was meant for one account must not be done to another.
    public static func text(
        page: String, request: String? = nil, session: SessionID? = nil, browser: BrowserID, in directory: Directory
    ) -> String {
        let about = session.map { "\u{0}\($0.rawValue)" } ?? ""
        let input = "form token\u{0}\(page)\u{0}\(browser.text)\u{0}\(request ?? "")\(about)"
        let key = SymmetricKey(data: directory.tokenKey.reveal())
        return Base64URL.encode(Array(HMAC<SHA256>.authenticationCode(for: Array(input.utf8), using: key)))
    }

    /// Refuses a form without the page's token, and one that the browser says another site's page sent.
    ///
    /// - Parameters:
    ///   - text: what the form says.
    ///   - browser: as the form's own request names it.
    ///   - authority: of the request.
    ///   - url: where clients reach the server.
    /// - Throws: ``AuthErrorCode/forbidden``.
    public static func require(
        _ text: String?, page: String, request: String? = nil, session: SessionID? = nil, browser: BrowserID?,
        in directory: Directory, headers: HTTPFields, authority: String?, url: String
    ) throws(AuthError) {
        try requireOwnForm(headers, authority: authority, url: url)
        guard let text, let browser else { throw AuthError(.forbidden, reason: "a form without its token") }
        let expected = Self.text(page: page, request: request, session: session, browser: browser, in: directory)
        guard constantTimeEqual(Array(text.utf8), Array(expected.utf8)) else {
            throw AuthError(.forbidden, reason: "a form of another page's or browser's")
        }
    }

    /// Refuses a form that another site's page sent, as far as the browser says so (Fetch standard, section 3.2; Fetch
    /// Metadata, section 2.3). What says nothing is let through, and so is what is no browser.
    ///
    /// - Throws: ``AuthErrorCode/forbidden``.
    public static func requireOwnForm(_ headers: HTTPFields, authority: String?, url: String) throws(AuthError) {
        if let site = headers[.fetchSite], site != "same-origin", site != "none" {
            throw AuthError(.forbidden, reason: "a form of another site's")
        }
        try LinkPage.requireOwnForm(headers, authority: authority, url: url)
    }
}
