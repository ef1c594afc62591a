// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ServerKit

/// One page of a list: how long it is, and where it begins. The token is the last entry of the page before, so that it
/// outlives a restart, and an entry that came or went moves no other.
struct Page: Sendable {
    static let longest = 60

    let size: Int
    /// The entry that the page begins behind.
    let after: String?
    private let token: PageToken

    /// - Parameters:
    ///   - list: what the list is of, and all that the call says about who is in it: a token that was given for another
    ///     is refused, as at the service.
    ///   - limit: the member that says how many, 0 for as many as there may be.
    ///   - least: the least number that the operation takes, and `most` the greatest.
    /// - Throws: `InvalidParameterException`.
    init(
        _ input: Input, of list: [String], limit: String, token: Member, least: Int64 = 0,
        most: Int64 = Int64(Self.longest)
    ) throws(WireError) {
        self.token = PageToken(of: list)
        let asked = try input.integer(limit, in: least...most) ?? 0
        size = Int(asked == 0 ? most : asked)
        guard let text = try input.text(token) else {
            after = nil
            return
        }
        guard let place = self.token.place(in: text) else { throw .parameter("Invalid pagination token") }
        after = place
    }

    /// The token of the next page, where the entries found go beyond this one.
    func next(after found: [String]) -> JSONValue? {
        guard found.count > size, size > 0 else { return nil }
        return next(after: found[size - 1])
    }

    /// The token of the page that begins behind `entry`.
    func next(after entry: String) -> JSONValue { .string(token.text(after: entry)) }

    /// The page of a list that is at hand (``PageToken/cut(_:after:size:by:)``).
    func cut<Entry>(_ entries: [Entry], by key: (Entry) -> String) -> (entries: [Entry], next: JSONValue?) {
        let (found, next) = token.cut(entries, after: after, size: size, by: key)
        return (found, next.map { .string($0) })
    }
}
