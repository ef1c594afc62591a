// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto
import HTTPTypes

/// The cookies that this server gives browsers: one that names the browser, and one for each Directory that somebody is
/// signed in to there (RFC 6265; for the prefix RFC 6265bis, section 4.1.3.2).
///
/// Scripts can't read them, no other host has them, and another site's page sends them along only when it leads here.
/// Over `https` their names say that they were set so. Over plain `http`, which is for the loopback, browsers would not
/// take them by such a name.
public struct BrowserCookies: Sendable {
    private let isSecure: Bool

    /// - Parameter url: where clients reach the server.
    public init(url: String) {
        isSecure = url.hasPrefix("https:")
    }

    // MARK: Reading

    /// The browser that a request comes from; `nil` for one that was given no name yet.
    public func browser(in headers: HTTPFields) -> BrowserID? {
        guard headers[.cookie] != nil else { return nil }
        return Self.value(of: browserName, in: headers).flatMap(BrowserID.init)
    }

    /// What the browser holds of its session in a Directory: a refresh token, not judged yet.
    public func session(in headers: HTTPFields, of directory: DirectoryID) -> Secret<String>? {
        guard headers[.cookie] != nil else { return nil }
        return Self.value(of: sessionName(directory), in: headers).map { Secret($0) }
    }

    /// The browser that comes back from an identity provider, by the name that it was sent away with.
    public func traveller(in headers: HTTPFields) -> BrowserID? {
        guard headers[.cookie] != nil else { return nil }
        return Self.value(of: travellerName, in: headers).flatMap(BrowserID.init)
    }

    // MARK: Writing

    /// The `Set-Cookie` field by which a browser learns its name. It is forgotten with the browser's window.
    public func naming(_ browser: BrowserID) -> HTTPField {
        HTTPField(name: .setCookie, value: "\(browserName)=\(browser.text)\(attributes)")
    }

    /// The field by which a browser learns the name that it is sent to an identity provider with. Some come back by a
    /// form of the provider's, and browsers send nothing along with another site's form but what says that it may be
    /// sent: so this name is one of its own, and stands for nothing else.
    public func sendingAway(_ browser: BrowserID) -> HTTPField {
        let site = isSecure ? "; Secure; SameSite=None" : "; SameSite=Lax"
        return HTTPField(name: .setCookie, value: "\(travellerName)=\(browser.text); Path=/; HttpOnly\(site)")
    }

    /// The field by which a browser is signed in.
    ///
    /// - Parameter lifetime: how long the browser keeps it; `nil` until its window is closed.
    public func opening(_ token: Secret<String>, of directory: DirectoryID, lifetime: TimeSpan? = nil) -> HTTPField {
        let age = lifetime.map { "; Max-Age=\(max(0, $0.microseconds / 1_000_000))" } ?? ""
        return HTTPField(
            name: .setCookie, value: "\(sessionName(directory))=\(token.reveal())\(attributes)\(age)")
    }

    /// The field by which a browser forgets its session in a Directory.
    public func closing(_ directory: DirectoryID) -> HTTPField {
        HTTPField(name: .setCookie, value: "\(sessionName(directory))=\(attributes); Max-Age=0")
    }

    // MARK: Names

    private var prefix: String { isSecure ? "__Host-latchkey-" : "latchkey-" }
    private var browserName: String { prefix + "browser" }
    private var travellerName: String { prefix + "traveller" }

    private func sessionName(_ directory: DirectoryID) -> String {
        let hash = SHA256.hash(data: Array("browser session of \(directory.rawValue)".utf8))
        return prefix + "session-" + Hex.encode(Array(hash.prefix(4)))
    }

    private var attributes: String { "; Path=/\(isSecure ? "; Secure" : ""); HttpOnly; SameSite=Lax" }

    /// `nil` also where there are two of the name: nobody can tell which of them was set here.
    private static func value(of name: String, in headers: HTTPFields) -> String? {
        let found = headers.cookies(named: name)
        guard let first = found.first, !first.isEmpty, found.allSatisfy({ $0.utf8.elementsEqual(first.utf8) })
        else { return nil }
        return first
    }
}
