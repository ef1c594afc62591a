// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// One page of a list: how long it is, and where it begins. The token is the last entry of the page before, so that it
/// outlives a restart, and an entry that came or went moves no other.
struct Page: Sendable {
    static let longest = 60

    let size: Int
    /// The entry that the page begins behind.
    let after: String?

    /// - Parameters:
    ///   - limit: the member that says how many, 0 for as many as there may be.
    ///   - least: the least number that the operation takes, and `most` the greatest.
    /// - Throws: `InvalidParameterException`.
    init(
        _ input: Input, limit: String, token: Member, least: Int64 = 0, most: Int64 = Int64(Self.longest)
    ) throws(WireError) {
        let asked = try input.integer(limit, in: least...most) ?? 0
        size = Int(asked == 0 ? most : asked)
        guard let text = try input.text(token) else {
            after = nil
            return
        }
        guard let bytes = Base64URL.decode(text), let entry = String(strictUTF8: bytes) else {
            throw .parameter("Invalid pagination token")
        }
        after = entry
    }

    /// The token of the next page, where the entries found go beyond this one.
    func next(after found: [String]) -> JSONValue? {
        guard found.count > size, size > 0 else { return nil }
        return Self.token(after: found[size - 1])
    }

    /// The token of the page that begins behind `entry`.
    static func token(after entry: String) -> JSONValue { .string(Base64URL.encode(Array(entry.utf8))) }

    /// The page of a list that is at hand, in the order of its keys.
    func cut<Entry>(_ entries: [Entry], by key: (Entry) -> String) -> (entries: [Entry], next: JSONValue?) {
        let found = Array(entries.drop { entry in after.map { key(entry) <= $0 } ?? false }.prefix(size + 1))
        return (Array(found.prefix(size)), next(after: found.map(key)))
    }
}
