// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// One entry of the allow-list: a URL in which `*` stands for any text without `.` and `/`, `**` for any text at all,
/// `?` for one character, `[abc]` and `[!abc]` for one of a set, and `{a,b}` for either of several texts.
///
/// Its authority part is matched against the authority and its path part against path and query. A pattern for a
/// loopback host that names no port allows every port (RFC 8252, section 7.3).
struct RedirectPattern: Sendable {
    private let scheme: String
    private let authority: Glob?
    private let isLoopbackWithoutPort: Bool
    private let rest: Glob

    /// `nil` for what is no pattern, is longer than 2,048 octets or has too many marks in a row (``StreamSafeText``).
    init?(_ text: String) {
        guard text.utf8.count <= 2048, StreamSafeText.accepts(text), let colon = text.firstIndex(of: ":") else {
            return nil
        }
        scheme = text[..<colon].lowercased()
        guard RedirectURL.isScheme(scheme) else { return nil }
        let afterScheme = text[text.index(after: colon)...].prefix { $0 != "#" }
        guard afterScheme.hasPrefix("//") else {
            guard afterScheme.hasPrefix("/") || afterScheme.hasPrefix("*"), let glob = Glob(afterScheme) else {
                return nil
            }
            authority = nil
            isLoopbackWithoutPort = false
            rest = glob
            return
        }
        let remainder = afterScheme.dropFirst(2)
        let end = remainder.firstIndex(of: "/") ?? remainder.endIndex
        var host = remainder[..<end].lowercased()
        if let own = RedirectURL.ownPort(of: scheme), host.hasSuffix(":\(own)") {
            host.removeLast(":\(own)".count)
        }
        isLoopbackWithoutPort = RedirectURL.isLoopback(host)
        // IPv6 brackets are the address's own, not a set of characters.
        let authorityText = host.hasPrefix("[") ? "\\" + host : host
        // `app://**` means the whole of `app:`, path included.
        let path = end == remainder.endIndex && host.hasSuffix("**") ? "**" : remainder[end...]
        guard let authorityGlob = Glob(authorityText[...]), let pathGlob = Glob(path) else { return nil }
        authority = authorityGlob
        rest = pathGlob
    }

    func matches(_ url: RedirectURL) -> Bool {
        guard url.scheme == scheme, url.isHierarchical == (authority != nil) else { return false }
        if let authority {
            let port = isLoopbackWithoutPort ? nil : url.port
            guard authority.matches(url.host + (port.map { ":\($0)" } ?? "")) else { return false }
        }
        // "https://a.example" and "https://a.example/" are one place.
        return rest.matches(String(url.rest)) || (url.rest.isEmpty && rest.matches("/"))
            || (url.rest == "/" && rest.matches(""))
    }
}
