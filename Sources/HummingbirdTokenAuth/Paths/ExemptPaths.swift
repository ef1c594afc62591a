// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The paths that need no credentials, such as a health check.
///
/// A request is exempt only when its target is a plain path (`PlainPath`) that equals an entry, byte by byte: `//`,
/// `%2f`, `;`, a dot segment, another case or a trailing part make it one that needs credentials. A query changes
/// nothing, and no header is looked at (not `X-Forwarded-Uri`, not `X-Original-URL`). Everything else is protected,
/// including paths where there is nothing.
public struct ExemptPaths: Sendable, ExpressibleByArrayLiteral {
    /// Exact paths, without a slash at the end.
    private var exact: Set<String> = []
    /// Each ends with a slash.
    private var prefixes: [String] = []

    /// Entries begin with a slash. One that ends with `/**`, such as `/docs/**`, exempts everything below it, and not
    /// `/docs` itself. An entry that is not a plain path exempts nothing.
    public init(_ paths: [String]) {
        for path in paths {
            if path.utf8.count > 3, path.hasSuffix("/**") {
                let prefix = String(path.dropLast(2))
                if Self.isPlain(prefix) { prefixes.append(prefix) }
            } else if Self.isPlain(path) {
                exact.insert(Self.withoutSlash(path))
            }
        }
    }

    public init(arrayLiteral paths: String...) {
        self.init(paths)
    }

    /// Whether every path needs credentials.
    var isEmpty: Bool { exact.isEmpty && prefixes.isEmpty }

    /// - Parameters:
    ///   - path: what the router will look for.
    ///   - target: the request's target as it came (RFC 9112, section 3.2).
    /// - Returns: whether a request needs no credentials.
    func contains(_ path: String, target: String) -> Bool {
        // Only the origin form: in the absolute form, others may take another part of it for the path.
        guard !isEmpty, target.utf8.first == UInt8(ascii: "/") else { return false }
        // Swift takes the Kelvin sign for a K. The entries are ASCII, so equal ASCII is the same bytes.
        guard Self.isPlainASCII(path) else { return false }
        if exact.contains(Self.withoutSlash(path)) { return true }
        return prefixes.contains { path.utf8.count > $0.utf8.count && path.utf8.starts(with: $0.utf8) }
            && PlainPath.accepts(path)
    }

    private static func isPlain(_ path: String) -> Bool { isPlainASCII(path) && PlainPath.accepts(path) }

    /// Without percent-encoding and in ASCII there is one way to write a path.
    private static func isPlainASCII(_ path: String) -> Bool {
        path.utf8.allSatisfy { $0 < 128 && $0 != UInt8(ascii: "%") }
    }

    /// The router takes one slash at the end for the same path.
    private static func withoutSlash(_ path: String) -> String {
        path.utf8.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}
