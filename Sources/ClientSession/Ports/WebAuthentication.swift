// SPDX-License-Identifier: Apache-2.0

/// Shows a page of an identity service to the user in a browser that the app can't read, and waits for the redirect
/// back (RFC 8252).
public protocol WebAuthentication: Sendable {
    /// Where the redirect is awaited. Called once before each ``authenticate(at:redirectingTo:ephemeral:)``: a loopback
    /// listener takes a free port then.
    ///
    /// - Parameter preferred: what the app registered, such as `myapp://callback` or `http://127.0.0.1/callback`.
    func redirectURI(preferred: String) async throws(WebAuthenticationError) -> String

    /// - Parameters:
    ///   - url: the page to begin with.
    ///   - redirectURI: what ``redirectURI(preferred:)`` returned.
    ///   - ephemeral: without the cookies that the browser has, so that nobody is signed in by a memory (H-5).
    /// - Returns: the whole address that the browser was sent to, with query and fragment.
    func authenticate(
        at url: String, redirectingTo redirectURI: String, ephemeral: Bool
    ) async throws(WebAuthenticationError) -> String
}

/// Why no redirect came back.
public enum WebAuthenticationError: Error, Sendable, Hashable {
    /// The user closed the page. Not an error to show (Y-US1).
    case cancelled
    /// Nobody came back from the page in time.
    case timedOut
    /// No browser can be opened, or the redirect can't be awaited here.
    case unavailable(reason: String)
}
