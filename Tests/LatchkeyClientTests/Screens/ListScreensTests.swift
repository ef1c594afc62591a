// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import LatchkeyClient
import Testing

@MainActor @Suite("Screens of lists and banners") struct ListScreensTests {
    /// Pages of numbers; fails at those that it is told to, once each.
    private final class Book: Sendable {
        private let failing: Guarded<Set<Int>>
        private let asked = Guarded(0)
        let pages: [[Int]]

        init(_ pages: [[Int]], failing: Set<Int> = []) {
            self.pages = pages
            self.failing = Guarded(failing)
        }

        var count: Int { asked.value }

        func read() -> AsyncThrowingStream<[Int], any Error> {
            let place = Guarded(0)
            return AsyncThrowingStream { [self] in
                let index = place.withLock { place in
                    defer { place += 1 }
                    return place
                }
                asked.withLock { $0 += 1 }
                if failing.withLock({ $0.remove(index) }) != nil { throw AuthError(.network) }
                return index < pages.count ? pages[index] : nil
            }
        }
    }

    @Test("Y-US4 R13.8 Activities come page by page, as they are asked for, and the end is known")
    func pages() async {
        let book = Book([[9, 8], [7, 6], [5]])
        let model = ActivitiesModel { book.read() }
        #expect(model.emptyMessage == nil && model.canLoadMore && book.count == 0)
        await model.loadMore()
        #expect(model.items == [9, 8] && book.count == 1 && model.canLoadMore)
        for _ in 0..<3 { await model.loadMore() }
        #expect(model.items == [9, 8, 7, 6, 5] && model.isComplete && !model.canLoadMore)
        await model.loadMore()
        #expect(book.count == 4)
    }

    @Test("Y-US4 R13.8 An empty list encourages, once it is known to be empty")
    func empty() async {
        let model = ActivitiesModel { Book([]).read() }
        #expect(model.emptyMessage == nil)
        await model.loadMore()
        #expect(
            model.emptyMessage?.text(in: .en) == "Nothing here yet. Start your first session: every practice counts!")
        #expect(model.emptyMessage?.text(in: .de) != model.emptyMessage?.text(in: .en))
    }

    @Test("Y-US4 Y-SC6 R13.8 A page that fails says so, and another try goes on where it stopped, with nothing twice")
    func again() async {
        let book = Book([[9, 8], [7, 6], [5]], failing: [1])
        let model = ActivitiesModel { book.read() }
        await model.loadMore()
        await model.loadMore()
        #expect(model.items == [9, 8] && model.error?.suggestions == [.reconnect] && model.canLoadMore)
        for _ in 0..<3 { await model.loadMore() }
        #expect(model.items == [9, 8, 7, 6, 5] && model.isComplete && model.error == nil)
        await model.reload()
        #expect(model.items == [9, 8] && !model.isComplete)
    }

    @Test("R13.8 G-6.6 Devices: this one first, then the last used; this one is not ended here")
    func sessions() async {
        let source = ScriptedSessions()
        let model = SessionsModel(source: source)
        #expect(!model.canRevokeOthers)
        await model.load()
        #expect(model.sessions.map(\.id) == ["this", "new", "old"] && model.sessions[0].label?.key == .sessionCurrent)
        await model.revoke(model.sessions[0])
        await model.revoke(model.sessions[2])
        #expect(model.sessions.map(\.id) == ["this", "new"])
        await model.revokeOthers()
        #expect(model.sessions.map(\.id) == ["this"] && !model.canRevokeOthers)
        #expect(await source.calls == ["revoke old", "others"])
    }

    @Test("R13.8 G-11 A switch of consent shows what holds")
    func consent() async {
        let gate = ConsentGate(store: MemoryStore()) { _ in NoopAnalytics() }
        let model = ConsentModel(gate: gate)
        #expect(ConsentModel.choices.allSatisfy { !model.consent[keyPath: $0.field] })
        await model.set(\.analytics, to: true)
        #expect(model.consent == PrivacyConsent(analytics: true) && gate.consent == model.consent)
        await model.set(\.analytics, to: false)
        #expect(model.consent == .none)
    }

    @Test("G-7 R13.8 Offline: nothing is said while all is allowed, then changes wait, then nothing goes on")
    func offline() {
        let service = ScriptedService()
        func seen(_ state: AuthState) -> [String] {
            service.become(state)
            let model = OfflineBannerModel(service: service)
            return [
                model.message?.text(in: .en) ?? "", model.tooltip?.text(in: .en) ?? "",
                "\(model.allowsChanges) \(model.blocksApp)",
            ]
        }
        #expect(seen(.signedIn(.ann)) == ["", "", "true false"])
        #expect(seen(.offline(.full, .ann)) == ["", "", "true false"])
        #expect(
            seen(.offline(.readOnly, .ann)) == [
                "Offline - changes will sync later", "Reconnect to make changes", "false false",
            ])
        #expect(seen(.blocked(.ann)) == ["Session expired - please reconnect to continue", "", "false true"])
        #expect(seen(.signedOut(.userSignedOut)) == ["", "", "false false"])
    }
}

private actor ScriptedSessions: DeviceSessions {
    private(set) var calls: [String] = []

    func list() async throws(AuthError) -> [DeviceSession] {
        [
            DeviceSession(id: "old", lastUsed: Instant(seconds: 1)),
            DeviceSession(id: "new", lastUsed: Instant(seconds: 2)),
            DeviceSession(id: "this", device: "Phone", isCurrent: true),
        ]
    }
    func revoke(_ id: String) async throws(AuthError) { calls.append("revoke \(id)") }
    func revokeOthers() async throws(AuthError) { calls.append("others") }
}
