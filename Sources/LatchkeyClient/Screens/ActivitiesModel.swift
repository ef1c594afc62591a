// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Observation

/// A list that is loaded page by page as the user scrolls (Y-US4), with a text for one that is empty.
@Observable @MainActor
public final class ActivitiesModel<Item: Sendable>: AccountScreen {
    /// Those of all pages that are here, in the service's order.
    public private(set) var items: [Item] = []
    /// The last page is here.
    public private(set) var isComplete = false

    @ObservationIgnored private let begin: @MainActor () -> @Sendable () async throws(AuthError) -> [Item]?
    /// How often the list was begun anew.
    @ObservationIgnored private var round = 0
    @ObservationIgnored private var next: (@Sendable () async throws(AuthError) -> [Item]?)?

    /// - Parameters:
    ///   - service: whose user's list it is: another user is shown nothing of it. `nil` where the app makes a model for
    ///     each user.
    ///   - pages: begins at the first page, each time it is called.
    public init<Pages: AsyncSequence & Sendable>(
        service: (any AuthenticationService)? = nil, support: String? = nil, pages: @escaping @MainActor () -> Pages
    ) where Pages.Element == [Item] {
        begin = {
            let source = PageSource(pages())
            return { () async throws(AuthError) in try await source.next() }
        }
        super.init(of: service, support: support)
    }

    /// What an empty list says: encouraging, and only once it is known to be empty.
    public var emptyMessage: UserMessage? {
        isComplete && items.isEmpty && error == nil ? UserMessage(.activitiesEmpty) : nil
    }
    /// Whether there may be more. Also after a failure: then this tries again where it stopped.
    public var canLoadMore: Bool { !isComplete && !isInProgress }

    /// The next page. Called when the end of the list comes into sight; while one is under way nothing happens.
    public func loadMore() async {
        meet()
        guard canLoadMore else { return }
        // A sequence that was left or threw is over; a new one skips what is here.
        let next = self.next ?? (items.isEmpty ? begin() : skipping(items.count, of: begin))
        self.next = next
        let round = round
        let page = await run { () async throws(AuthError) in Page(items: try await next()) }
        // A page of before the list was loaded anew, and its failure, say nothing of this one.
        guard round == self.round else { return }
        guard let page else {
            if error != nil { self.next = nil }
            return
        }
        if let new = page.items { items += new } else { isComplete = true }
    }

    /// From the first page, as when a list is pulled down.
    public func reload() async {
        leave()
        forget()
        await loadMore()
    }

    /// A page that is under way then is nobody's: the list goes on with the one after what is here, and asks nobody who
    /// is being asked.
    override public func leave() {
        if isInProgress {
            next = nil
            round += 1
        }
        super.leave()
    }

    override func forget() {
        (items, isComplete, next) = ([], false, nil)
        round += 1
    }

    private struct Page: Sendable { var items: [Item]? }

    private func skipping(
        _ count: Int, of begin: @MainActor () -> @Sendable () async throws(AuthError) -> [Item]?
    ) -> @Sendable () async throws(AuthError) -> [Item]? {
        let skipper = Skipper(left: count, next: begin())
        return { () async throws(AuthError) in try await skipper.page() }
    }

    /// Reads over what is in the list already.
    private actor Skipper {
        private var left: Int
        private let next: @Sendable () async throws(AuthError) -> [Item]?

        init(left: Int, next: @escaping @Sendable () async throws(AuthError) -> [Item]?) {
            self.left = left
            self.next = next
        }

        func page() async throws(AuthError) -> [Item]? {
            while let page = try await next() {
                let new = page.dropFirst(left)
                left -= min(left, page.count)
                if !new.isEmpty { return Array(new) }
            }
            return nil
        }
    }
}
