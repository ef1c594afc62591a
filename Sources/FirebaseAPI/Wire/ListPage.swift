// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import ServerKit

/// One page of a list: how long it is, and where it begins.
struct ListPage: Sendable {
    let size: Int
    /// The entry that the page begins behind; `nil` for the list's beginning.
    let after: String?
    private let token: PageToken

    /// - Parameters:
    ///   - token: an empty one is none.
    ///   - list: what the list is of: a token that was given for another is refused.
    /// - Throws: `INVALID_PAGE_SELECTION`, by which the platform's SDKs know a page token that is none.
    init(size: Int, token text: String?, of list: String, _ call: DialectCall) throws(WireError) {
        self.size = size
        token = PageToken(of: [list, call.directory.id.rawValue])
        guard let text, !text.isEmpty else {
            after = nil
            return
        }
        guard let place = token.place(in: text) else { throw WireError("INVALID_PAGE_SELECTION") }
        after = place
    }

    /// By `pageSize` and `pageToken` of the query (Google AIP-158, "Pagination").
    ///
    /// - Parameter most: what a page has at most, however many are asked for.
    /// - Throws: an invalid argument for a size that is no number or below 0; `INVALID_PAGE_SELECTION`.
    init(_ call: DialectCall, of list: String, most: Int) throws(WireError) {
        let asked = call.query["pageSize"].flatMap { $0.isEmpty ? nil : $0 } ?? "0"
        guard let number = Int32(asked) else {
            throw .unreadable("Invalid value at 'page_size' (TYPE_INT32)")
        }
        guard number >= 0 else { throw WireError(AuthError(.invalidRequest)) }
        try self.init(
            size: min(number == 0 ? 20 : Int(number), most), token: call.query["pageToken"], of: list, call)
    }

    /// The token of the page that begins behind `entry`.
    func next(after entry: String) -> JSONValue { .string(token.text(after: entry)) }

    /// The page of a list that is at hand (``PageToken/cut(_:after:size:by:)``).
    func cut<Entry>(_ entries: [Entry], by key: (Entry) -> String) -> (entries: [Entry], next: JSONValue?) {
        let (found, next) = token.cut(entries, after: after, size: size, by: key)
        return (found, next.map { .string($0) })
    }
}
