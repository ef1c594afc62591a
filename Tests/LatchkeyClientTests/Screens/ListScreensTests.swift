// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import LatchkeyClient
import TestSupport
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

    @Test("Y-US4 R13.8 A page that comes after the list was loaded anew leaves nothing of the new list out")
    func overtaken() async throws {
        let (book, fails) = (Book([[9, 8], [7, 6]]), Guarded(0))
        let late = Gate()
        let model = ActivitiesModel {
            let pages = book.read()
            return fails.withLock { count -> HeldPages in
                count += 1
                // The first list hangs at its second page, the second fails at its first.
                return HeldPages(pages: pages, gate: count == 1 ? late : nil, failsFirst: count == 2)
            }
        }
        await model.loadMore()
        let hanging = Task { await model.loadMore() }
        try await late.untilReached()
        await model.reload()
        #expect(model.items.isEmpty && model.error != nil)
        await late.open()
        await hanging.value
        await model.loadMore()
        #expect(model.items == [9, 8])
    }

    @Test("Y-US4 R13.8 A screen that is left while a page is on its way leaves none out when its user is back")
    func left() async throws {
        let (book, begun) = (Book([[9, 8], [7, 6], [5]]), Guarded(0))
        let late = Gate()
        let model = ActivitiesModel {
            let pages = book.read()
            return begun.withLock { count -> HeldPages in
                count += 1
                // The first list hangs at its second page.
                return HeldPages(pages: pages, gate: count == 1 ? late : nil, failsFirst: false)
            }
        }
        await model.loadMore()
        let hanging = Task { await model.loadMore() }
        try await late.untilReached()
        model.leave()
        // Nobody asks the list that is still being asked.
        await model.loadMore()
        #expect(model.items == [9, 8, 7, 6] && begun.value == 2)
        await late.open()
        await hanging.value
        await model.loadMore()
        #expect(model.items == [9, 8, 7, 6, 5] && model.error == nil)
        // One that is left with nothing under way goes on where it was.
        model.leave()
        await model.loadMore()
        #expect(model.isComplete && begun.value == 2)
    }

    @Test(
        "R13.8 G-11.4 G-11.8 Two switches at once both hold, and one that is turned off is off before anything is kept")
    func switches() async throws {
        let store = SlowStore()
        let gate = ConsentGate(store: store) { _ in NoopAnalytics() }
        let model = ConsentModel(gate: gate)
        let first = Task { await model.set(\.analytics, to: true) }
        try await store.untilWriting()
        let second = Task { await model.set(\.crashReporting, to: true) }
        for _ in 0..<50 { await Task.yield() }
        await store.proceed()
        _ = await (first.value, second.value)
        #expect(gate.consent == PrivacyConsent(analytics: true, crashReporting: true) && model.consent == gate.consent)

        await store.pause()
        let given = Task { await model.set(\.telemetry, to: true) }
        try await store.untilWriting()
        let withdrawn = Task { await model.set(\.analytics, to: false) }
        try await eventually("the consent is withdrawn") { !gate.consent.analytics }
        // Nothing was kept yet.
        #expect(await store.isWriting)
        await store.proceed()
        _ = await (given.value, withdrawn.value)
        #expect(gate.consent == PrivacyConsent(crashReporting: true, telemetry: true))
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

    @Test("R13.8 G-11.3 A switch of consent shows what holds")
    func consent() async {
        let gate = ConsentGate(store: MemoryStore()) { _ in NoopAnalytics() }
        let model = ConsentModel(gate: gate)
        #expect(ConsentModel.choices.allSatisfy { !model.consent[keyPath: $0.field] })
        await model.set(\.analytics, to: true)
        #expect(model.consent == PrivacyConsent(analytics: true) && gate.consent == model.consent)
        await model.set(\.analytics, to: false)
        #expect(model.consent == .none)
    }

    @Test("R13.8 G-11.8 What was wrong with one switch is not said of the next one that takes effect")
    func switchAfterFault() async {
        let store = FullOnce()
        let model = ConsentModel(gate: ConsentGate(store: store) { _ in NoopAnalytics() })
        await model.set(\.analytics, to: true)
        #expect(model.error?.code == .storeUnavailable && model.consent == .none)
        await model.set(\.analytics, to: true)
        #expect(model.error == nil && model.consent.analytics)
    }

    @Test(
        "G-7.2 G-7.3 G-7.7 R13.8 Offline: nothing is said while all is allowed, then changes wait, then nothing goes on"
    )
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

/// Takes everything but the first thing.
private actor FullOnce: SecureStore {
    private var isFull = true
    private let store = MemoryStore()

    func read(_ key: SecureStoreKey) async throws(SecureStoreError) -> [UInt8]? { try await store.read(key) }
    func write(_ value: [UInt8], for key: SecureStoreKey) async throws(SecureStoreError) {
        defer { isFull = false }
        if isFull { throw .full }
        try await store.write(value, for: key)
    }
    func remove(_ key: SecureStoreKey) async throws(SecureStoreError) { try await store.remove(key) }
    func exclusively<Value: Sendable>(
        _ key: SecureStoreKey, _ body: @Sendable () async throws -> Value
    ) async throws -> Value { try await body() }
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

/// Pages of which the second waits at a gate, or the first fails.
private struct HeldPages: AsyncSequence, Sendable {
    let pages: AsyncThrowingStream<[Int], any Error>
    let gate: Gate?
    let failsFirst: Bool

    struct Iterator: AsyncIteratorProtocol {
        var pages: AsyncThrowingStream<[Int], any Error>.Iterator
        let gate: Gate?
        let failsFirst: Bool
        var count = 0

        mutating func next() async throws -> [Int]? {
            count += 1
            if failsFirst, count == 1 { throw AuthError(.unavailable) }
            if count == 2 { await gate?.pass() }
            return try await pages.next(isolation: #isolation)
        }
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(pages: pages.makeAsyncIterator(), gate: gate, failsFirst: failsFirst)
    }
}

/// Takes its time over each writing, until it is told to go on.
private actor SlowStore: SecureStore {
    private(set) var isWriting = false
    private var isPaused = true
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func untilWriting() async throws { try await eventually("something is written") { isWriting } }
    func pause() { isPaused = true }
    func proceed() {
        isPaused = false
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    func read(_ key: SecureStoreKey) async throws(SecureStoreError) -> [UInt8]? { nil }
    func write(_ value: [UInt8], for key: SecureStoreKey) async throws(SecureStoreError) {
        isWriting = true
        if isPaused { await withCheckedContinuation { waiting.append($0) } }
        isWriting = false
    }
    func remove(_ key: SecureStoreKey) async throws(SecureStoreError) {}
    func exclusively<Value: Sendable>(
        _ key: SecureStoreKey, _ body: @Sendable () async throws -> Value
    ) async throws -> Value { try await body() }
}
