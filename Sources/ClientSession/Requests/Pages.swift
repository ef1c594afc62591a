// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// One page of a list.
public struct Page: Sendable {
    /// In the service's order.
    public var items: [JSONObject]
    /// What asks for the next page. `nil` for the last.
    public var next: String?
}

/// A list in pages, asked for one at a time as they are read: `for try await page in client.pages("/v1/activities")`.
public struct Pages: AsyncSequence, Sendable {
    public typealias Element = Page

    let client: AuthenticatedClient
    let path: String
    let items: String
    let cursor: String

    public struct AsyncIterator: AsyncIteratorProtocol {
        let pages: Pages
        var next: String?
        var isOver = false
        private var seen: Set<String> = []

        init(pages: Pages) { self.pages = pages }

        public mutating func next() async throws(AuthError) -> Page? {
            guard !isOver else { return nil }
            let page: Page
            do throws(AuthError) { page = try await pages.page(after: next) } catch {
                isOver = true
                throw error
            }
            // A service that sends readers in a circle ends the list.
            isOver = page.next.map { !seen.insert($0).inserted } ?? true
            next = page.next
            return page
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(AuthError) -> Page? {
            try await next()
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pages: self) }

    /// The page after that cursor, for lists that load as the user scrolls.
    public func page(after cursor: String?) async throws(AuthError) -> Page {
        var path = path
        if let cursor {
            path += (path.contains("?") ? "&" : "?") + "cursor=" + Self.encoded(cursor)
        }
        let object = try await client.object(path)
        guard let items = object[items]?.arrayValue else { throw AuthError(.unavailable, reason: "no list") }
        return Page(items: items.compactMap(\.objectValue), next: object[self.cursor]?.stringValue)
    }

    /// RFC 3986, section 2.3: everything but the unreserved characters.
    private static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = Array("0123456789ABCDEF".unicodeScalars)
                encoded.unicodeScalars.append(contentsOf: ["%", digits[Int(byte >> 4)], digits[Int(byte & 15)]])
            }
        }
        return encoded
    }
}

extension AuthenticatedClient {
    /// - Parameters:
    ///   - path: such as `/v1/activities?limit=20`.
    ///   - items: the member that holds a page's objects.
    ///   - cursor: the member that holds what asks for the next page.
    public func pages(_ path: String, items: String, cursor: String = "nextCursor") -> Pages {
        Pages(client: self, path: path, items: items, cursor: cursor)
    }

    /// What the user has done, newest first (Y-US4).
    public var activities: Pages { pages("/v1/activities", items: "activities") }
}
