// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A host at which a Directory's pages are reached, beside the server's own. Which hosts a prefix stands for is the
/// dialect's to say.
public struct DirectoryDomain: Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        /// The first label of a host whose other labels all Directories share.
        case prefix
        /// A whole host name.
        case custom
    }

    public var directoryID: DirectoryID
    /// Lower case, and unique in the whole store: a request names nothing else. A prefix has no dot, a host name has
    /// one.
    public var name: String
    /// A Directory has one of each at most.
    public var kind: Kind
    /// What a dialect keeps of a domain and the domain model does not read.
    public var attributes: JSONObject
    public var createdAt: Instant
    public var updatedAt: Instant

    public init(
        directoryID: DirectoryID, name: String, kind: Kind, attributes: JSONObject = [:], createdAt: Instant,
        updatedAt: Instant
    ) {
        self.directoryID = directoryID
        self.name = name
        self.kind = kind
        self.attributes = attributes
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// Whether `text` is a name of this kind: labels of letters, digits and hyphens (RFC 1123, section 2.1), of which a
    /// prefix is one. What reads as an address is no host name.
    public static func isName(_ text: String, of kind: Kind) -> Bool {
        guard (1...253).contains(text.utf8.count) else { return false }
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard kind == .prefix ? labels.count == 1 : labels.count > 1, labels.allSatisfy(isLabel) else { return false }
        return kind == .prefix || labels.last?.contains { (97...122).contains($0) } ?? false
    }

    private static func isLabel(_ label: Substring.UTF8View.SubSequence) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
            && label.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == hyphen }
    }
}
