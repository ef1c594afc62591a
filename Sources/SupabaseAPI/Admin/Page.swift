// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird

/// A page of a numbered list: `page` from 1, `per_page` entries, 50 unless told.
struct Page {
    let number: Int
    let size: Int
    /// What else the list was asked for, which its further pages are too.
    private let rest: [(String, String)]

    /// - Throws: `validation_failed` for what is no number, and for more entries than one answer is made of.
    init(_ query: [String: String]) throws(WireError) {
        // The platform counts from 1 and takes a 0 for it.
        number = max(1, try Self.read(query["page"], default: 1, in: 0...10_000_000, "page"))
        size = try Self.read(query["per_page"], default: 50, in: 1...UserAdministration.maximumPage, "per_page")
        rest = query.filter { $0.key != "page" && $0.key != "per_page" }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
    }

    /// Adds `X-Total-Count` and the `Link` header (RFC 8288) with the next and the last page. `page` comes first in
    /// them, where clients look for it.
    func describe(total: Int, of path: String, in response: inout Response) {
        response.headers[.totalCount] = String(total)
        let last = max(1, (total + size - 1) / size)
        func link(_ page: Int, _ relation: String) -> String {
            let query = RedirectTarget.encode([("page", String(page)), ("per_page", String(size))] + rest)
            return "<\(path)?\(query)>; rel=\"\(relation)\""
        }
        var links: [String] = []
        if number < last { links.append(link(number + 1, "next")) }
        links.append(link(last, "last"))
        response.headers[.link] = links.joined(separator: ", ")
    }

    private static func read(
        _ text: String?, default value: Int, in range: ClosedRange<Int>, _ name: String
    ) throws(WireError) -> Int {
        guard let text, !text.isEmpty else { return value }
        guard let number = Int(text), range.contains(number) else {
            throw WireError.validation(
                "Bad Pagination Parameters: \(name) must be from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
