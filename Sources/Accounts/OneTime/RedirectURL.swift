// SPDX-License-Identifier: Apache-2.0

/// A place that a redirect may name, read so strictly that no browser could read it as another place.
///
/// Refused: anything but visible ASCII, backslashes, user information, escapes in the authority, escaped or plain dot
/// segments and escaped slashes in the path, odd spellings of a host, and schemes that run code or open files.
struct RedirectURL {
    /// As given, without its fragment.
    let text: String
    /// Lower case.
    let scheme: String
    /// Lower case; empty for a private scheme without an authority.
    let host: String
    /// `nil` when absent or the scheme's own.
    let port: Int?
    /// Whether there is an authority (`//host`).
    let isHierarchical: Bool
    /// With its `#`; empty where there is none.
    let fragment: String
    /// Path and query, starting with `/` or `?`, or empty.
    let rest: Substring

    private static let maximumLength = 2048
    private static let refusedSchemes: Set<String> = [
        "javascript", "data", "vbscript", "file", "blob", "about", "filesystem", "view-source", "mailto", "tel", "ws",
        "wss", "ftp",
    ]

    init?(_ requested: String) {
        guard requested.utf8.count <= Self.maximumLength,
            requested.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"\\\"<>^`{|}".utf8.contains($0) }),
            let whole = requested.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).first,
            let colon = whole.firstIndex(of: ":")
        else { return nil }
        text = String(whole)
        fragment = String(requested.dropFirst(whole.count))
        scheme = whole[..<colon].lowercased()
        guard Self.isScheme(scheme), !Self.refusedSchemes.contains(scheme) else { return nil }
        let afterScheme = whole[whole.index(after: colon)...]
        let isWeb = scheme == "http" || scheme == "https"
        isHierarchical = afterScheme.hasPrefix("//")
        if isHierarchical {
            let remainder = afterScheme.dropFirst(2)
            let end = remainder.firstIndex { $0 == "/" || $0 == "?" } ?? remainder.endIndex
            guard let authority = Self.authority(remainder[..<end], isWeb: isWeb) else { return nil }
            host = authority.host
            port = authority.port == Self.ownPort(of: scheme) ? nil : authority.port
            rest = remainder[end...]
        } else {
            // RFC 8252, section 7.1: a private scheme has one slash and no authority.
            guard !isWeb, afterScheme.hasPrefix("/") else { return nil }
            host = ""
            port = nil
            rest = afterScheme
        }
        guard Self.isPlainPath(rest) else { return nil }
    }

    /// RFC 8252, section 7.3: an app's own listener on this machine, on whatever port it got.
    var isLoopback: Bool { Self.isLoopback(host) }

    /// Whether the host is an IP address, in any spelling that a client takes for one, other than a loopback one.
    var isForeignAddress: Bool {
        guard !host.isEmpty, !isLoopback else { return false }
        return host.hasPrefix("[") || Self.looksNumeric(host)
    }

    static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.first == "127"
            && parts.allSatisfy { part in
                UInt8(part).map { String($0) == part } ?? false
            }
    }

    static func ownPort(of scheme: String) -> Int? {
        switch scheme {
        case "http": 80
        case "https": 443
        default: nil
        }
    }

    static func isScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, (97...122).contains(first) else { return false }
        return text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || "+-.".utf8.contains($0) }
    }

    private static func authority(_ text: Substring, isWeb: Bool) -> (host: String, port: Int?)? {
        var host = text
        var port: Int?
        if text.hasPrefix("[") {
            guard let close = text.firstIndex(of: "]") else { return nil }
            let after = text[text.index(after: close)...]
            host = text[...close]
            guard after.isEmpty || after.hasPrefix(":"),
                host.dropFirst().dropLast().allSatisfy({
                    $0.isHexDigit || $0 == ":" || $0 == "."
                })
            else { return nil }
            if !after.isEmpty {
                guard let number = portNumber(after.dropFirst()) else { return nil }
                port = number
            }
            return (host.lowercased(), port)
        }
        if let colon = text.firstIndex(of: ":") {
            guard let number = portNumber(text[text.index(after: colon)...]) else { return nil }
            port = number
            host = text[..<colon]
        }
        guard host.isEmpty ? !isWeb && port == nil : isHost(host, isWeb: isWeb) else { return nil }
        return (host.lowercased(), port)
    }

    private static func portNumber(_ text: Substring) -> Int? {
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }),
            let number = Int(text), (1...65_535).contains(number), !text.hasPrefix("0")
        else { return nil }
        return number
    }

    /// Letters, digits, hyphens and dots; in a private scheme, which no DNS looks up, underscores too.
    private static func isHost(_ host: Substring, isWeb: Bool) -> Bool {
        host.utf8.count <= 253
            && host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                !label.isEmpty && !label.hasPrefix("-") && !label.hasSuffix("-")
                    && label.utf8.allSatisfy { byte in
                        switch byte {
                        case 48...57, 65...90, 97...122, UInt8(ascii: "-"): true
                        case UInt8(ascii: "_"): !isWeb
                        default: false
                        }
                    }
            }
    }

    /// WHATWG URL, "ends in a number": decimal, octal and hexadecimal forms that clients read as IPv4.
    private static func looksNumeric(_ host: String) -> Bool {
        guard let last = host.split(separator: ".").last else { return false }
        if last.allSatisfy({ $0.isWholeNumber }) { return true }
        return last.hasPrefix("0x") && last.dropFirst(2).allSatisfy { $0.isHexDigit }
    }

    private static func isPlainPath(_ rest: Substring) -> Bool {
        let path = rest.prefix { $0 != "?" }.lowercased()
        guard !["%2f", "%5c", "%2e", "%00"].contains(where: path.contains) else { return false }
        return !path.split(separator: "/", omittingEmptySubsequences: false).contains { $0 == "." || $0 == ".." }
    }
}
