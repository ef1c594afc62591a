// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A sequence of pages that is asked for one at a time, by whoever holds it.
///
/// Unchecked: an iterator is nobody else's, and ``ActivitiesModel`` asks for one page at a time.
final class PageSource<Pages: AsyncSequence>: @unchecked Sendable where Pages.Element: Sendable {
    private var iterator: Pages.AsyncIterator

    init(_ pages: Pages) {
        iterator = pages.makeAsyncIterator()
    }

    @concurrent func next() async throws(AuthError) -> Pages.Element? {
        do { return try await iterator.next() } catch { throw AuthError(of: error) }
    }
}
