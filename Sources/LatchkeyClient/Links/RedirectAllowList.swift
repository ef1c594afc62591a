// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Where links may lead within the app (G-12.6).
///
/// A path is taken only if nobody could read it in two ways: segments of letters, digits, `-`, `_`, `.` and `~`, none
/// of them empty or made of dots alone. Nothing is decoded or tidied up, so there is no encoding to get past by; what
/// would have to be interpreted is refused. Which places there are is the app's to say: there is no list to begin with.
public struct RedirectAllowList: Sendable, Hashable {
    private struct Pattern: Sendable, Hashable {
        var segments: [Substring]
        var takesMore: Bool
    }

    private let patterns: [Pattern]
    private static let maximumLength = 512

    /// - Parameter patterns: `/settings/profile` for one place, `/settings/*` for all below it.
    /// - Throws: `invalidRequest` for what is no such pattern; it would allow nothing, or more than meant.
    public init(_ patterns: [String]) throws(AuthError) {
        var read: [Pattern] = []
        for text in patterns {
            let takesMore = text.hasSuffix("/*")
            let path = takesMore ? String(text.dropLast(2)) : text
            guard let segments = path.isEmpty && takesMore ? [] : Self.segments(path) else {
                throw AuthError(.invalidRequest, reason: "no pattern of paths: \(text)", field: "patterns")
            }
            read.append(Pattern(segments: segments.map { Substring($0) }, takesMore: takesMore))
        }
        self.patterns = read
    }

    private init(all patterns: [Pattern]) {
        self.patterns = patterns
    }

    /// Nothing.
    public static let none = RedirectAllowList(all: [])

    /// - Parameter redirect: a path, with a query or without.
    /// - Returns: `nil` for what is not allowed, or not plainly a path.
    public func path(_ redirect: String) -> AllowedPath? {
        guard redirect.utf8.count <= Self.maximumLength else { return nil }
        let parts = redirect.utf8.split(separator: UInt8(ascii: "?"), omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2, let segments = Self.segments(String(Substring(first))),
            parts.count < 2 || Self.isQuery(parts[1]), patterns.contains(where: { Self.matches(segments, $0) })
        else { return nil }
        return AllowedPath(checked: redirect)
    }

    private static func matches(_ segments: [String], _ pattern: Pattern) -> Bool {
        let own = pattern.segments.count
        guard pattern.takesMore ? segments.count > own : segments.count == own else { return false }
        return zip(segments, pattern.segments).allSatisfy { $0 == $1 }
    }

    /// `nil` unless it is a slash and segments with one slash between them.
    private static func segments(_ path: String) -> [String]? {
        let bytes = Array(path.utf8)
        guard bytes.first == UInt8(ascii: "/") else { return nil }
        let segments = bytes.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard segments.allSatisfy(isSegment) else { return nil }
        return segments.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func isSegment(_ segment: ArraySlice<UInt8>) -> Bool {
        !segment.isEmpty && segment.allSatisfy(isUnreserved) && !segment.allSatisfy { $0 == UInt8(ascii: ".") }
    }

    private static func isQuery(_ query: Substring.UTF8View) -> Bool {
        query.allSatisfy { isUnreserved($0) || "=&".utf8.contains($0) }
    }

    /// RFC 3986, section 2.3.
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        (97...122).contains(byte | 0x20) || (48...57).contains(byte) || "-._~".utf8.contains(byte)
    }
}
