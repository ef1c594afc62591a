// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// What a list gives its client to ask for the next page by: the place where the page begins, and a check over it and
/// over what the list was asked for.
///
/// A garbled token, or one of another list, is some place in this one too, mostly behind its end: whoever copies users
/// page by page would take that for all of them. The check tells such tokens from those that were given for this list.
/// It is no signature: a place that somebody makes up shows nothing that the list from its beginning would not.
public struct PageToken: Sendable {
    private static let checkLength = 8

    /// The list, and all that decides who is in it and in which order.
    private let list: [String]

    public init(of list: [String]) {
        self.list = list
    }

    /// In the alphabet of URLs, without padding (RFC 4648, section 5).
    public func text(after place: String) -> String {
        Base64URL.encode(check(of: place) + Array(place.utf8))
    }

    /// - Returns: the place; `nil` of a text that was not given for this list.
    public func place(in text: String) -> String? {
        guard let bytes = Base64URL.decode(text), bytes.count >= Self.checkLength,
            let place = String(strictUTF8: Array(bytes.dropFirst(Self.checkLength))),
            check(of: place) == Array(bytes.prefix(Self.checkLength))
        else { return nil }
        return place
    }

    /// The page of a list that is at hand, in the order of its keys' octets: that of texts takes two ways to write one
    /// letter for the same, and would pass over one of two such names.
    ///
    /// - Parameters:
    ///   - after: the key that the page begins behind; `nil` for the list's beginning.
    ///   - size: how many entries it has at most, one or more.
    /// - Returns: its entries, and the token of the page behind it, where one is.
    public func cut<Entry>(
        _ entries: [Entry], after: String?, size: Int, by key: (Entry) -> String
    ) -> (entries: [Entry], next: String?) {
        let rest = entries.map { (key: key($0), entry: $0) }
            .filter { found in after.map { $0.utf8.lexicographicallyPrecedes(found.key.utf8) } ?? true }
            .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        let page = rest.prefix(size)
        return (page.map(\.entry), page.count < rest.count ? page.last.map { text(after: $0.key) } : nil)
    }

    private func check(of place: String) -> [UInt8] {
        var hash = SHA256()
        for part in list + [place] {
            // With its length, so that no two lists of parts read the same.
            hash.update(data: Array("\(part.utf8.count) ".utf8))
            hash.update(data: Array(part.utf8))
        }
        return Array(hash.finalize().prefix(Self.checkLength))
    }
}
