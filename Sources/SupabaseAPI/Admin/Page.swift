// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird

/// A page of a numbered list: `page` from 1, `per_page` from 1 to 1000, 50 unless told.
struct Page {
    let number: Int
    let size: Int

    init(_ query: [String: String]) throws(WireError) {
        number = try Self.read(query["page"], default: 1, in: 1...10_000_000, "page")
        size = try Self.read(query["per_page"], default: 50, in: 1...1000, "per_page")
    }

    /// Adds `X-Total-Count` and the `Link` header (RFC 8288) with the next and the last page.
    func describe(total: Int, of path: String, in response: inout Response) {
        response.headers[.totalCount] = String(total)
        let last = max(1, (total + size - 1) / size)
        var links: [String] = []
        if number < last { links.append("<\(path)?page=\(number + 1)&per_page=\(size)>; rel=\"next\"") }
        links.append("<\(path)?page=\(last)&per_page=\(size)>; rel=\"last\"")
        response.headers[.link] = links.joined(separator: ", ")
    }

    private static func read(
        _ text: String?, default value: Int, in range: ClosedRange<Int>, _ name: String
    ) throws(WireError) -> Int {
        guard let text, !text.isEmpty else { return value }
        guard let number = Int(text), range.contains(number) else {
            throw WireError.validation("Bad Pagination Parameters: \(name)")
        }
        return number
    }
}
