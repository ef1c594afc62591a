// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientStorage
import Testing

struct KeychainStoreTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func store(
        _ keychain: ScriptedKeychain, _ reinstallation: KeychainStore.Reinstallation = .keepsItems
    ) -> KeychainStore {
        KeychainStore(items: keychain, reinstallation: reinstallation, locks: directory.path + "/locks")
    }

    @Test("R13.2 Y-FR3 G-5.1 What is written is read, replaced and removed; an item is never deleted to replace it")
    func roundTrip() async throws {
        let keychain = ScriptedKeychain()
        let store = store(keychain)
        #expect(try await store.read(.session) == nil)
        try await store.write([1], for: .session)
        try await store.write([2], for: .session)
        #expect(try await store.read(.session) == [2])
        #expect(keychain.calls.filter { $0.hasPrefix("delete") }.isEmpty)
        try await store.remove(.session)
        try await store.remove(.session)
        #expect(try await store.read(.session) == nil)
        #expect(try await store.exclusively(.session) { true })
    }

    @Test("F5 R13.2 An extension that adds or deletes the item in between loses nobody's write")
    func racedByAnExtension() async throws {
        let keychain = ScriptedKeychain()
        keychain.answer("update", [.itemNotFound])
        keychain.answer("add", [.duplicateItem])
        try await store(keychain).write([7], for: .session)
        #expect(keychain.value("auth.session") == [7])
        let endless = ScriptedKeychain()
        endless.answer("update", [.itemNotFound, .itemNotFound, .itemNotFound])
        endless.answer("add", [.duplicateItem, .duplicateItem, .duplicateItem])
        #expect(isUnavailable(await storeError { try await store(endless).write([7], for: .session) }))
    }

    @Test(
        "F8 Before the first unlock, or where the user says no, it is locked: not absent, and nothing is deleted",
        arguments: [KeychainStatus.interactionNotAllowed, .userCanceled, .authFailed])
    func locked(status: KeychainStatus) async throws {
        let keychain = ScriptedKeychain(["auth.session": [1]])
        for call in ["copy", "update", "delete"] { keychain.answer(call, [status]) }
        let store = store(keychain)
        #expect(await storeError { try await store.read(.session) } == .locked)
        #expect(await storeError { try await store.write([2], for: .session) } == .locked)
        #expect(await storeError { try await store.remove(.session) } == .locked)
        #expect(try await store.read(.session) == [1])
    }

    @Test(
        "F8 R13.2 Every other status is unavailable with its number, but for a full disk",
        arguments: [-34018, -25291, -26275, -50, -67585] as [Int32])
    func statuses(status: Int32) async throws {
        let keychain = ScriptedKeychain()
        keychain.answer("copy", [KeychainStatus(rawValue: status)])
        let error = await storeError { try await store(keychain).read(.session) }
        #expect(error == .unavailable(reason: "Keychain Services' status \(status)"))
        let full = ScriptedKeychain()
        full.answer("add", [.diskFull])
        #expect(await storeError { try await store(full).write([1], for: .session) } == .full)
    }

    @Test("R13.2 After a new installation items are cleared once, or kept, as the app chose")
    func reinstallation() async throws {
        let kept = ScriptedKeychain(["auth.session": [1]])
        #expect(try await store(kept).read(.session) == [1])
        let cleared = ScriptedKeychain(["auth.session": [1], "other": [2]])
        let marker = Marker()
        let store = store(cleared, .clearsItems(marker))
        #expect(try await store.read(.session) == nil)
        #expect(marker.isSet && cleared.value("other") == nil)
        try await store.write([3], for: .session)
        #expect(try await self.store(cleared, .clearsItems(marker)).read(.session) == [3])
    }

    @Test("F8 R13.2 Defaults that are not readable yet are no new installation: a locked Keychain is not cleared")
    func beforeFirstUnlock() async throws {
        let keychain = ScriptedKeychain(["auth.session": [1]])
        let marker = Marker()
        let store = store(keychain, .clearsItems(marker))
        keychain.answer("copy", [.interactionNotAllowed])
        #expect(await storeError { try await store.read(.session) } == .locked)
        #expect(!marker.isSet && keychain.value("auth.session") == [1])
        // Unlocked between the first look at the marker and the read.
        marker.becomesReadable()
        #expect(try await store.read(.session) == [1])
    }

    @Test("F8 R13.2 A locked Keychain that holds no session is not cleared either: what else is in it stays")
    func beforeFirstUnlockSignedOut() async throws {
        let keychain = ScriptedKeychain(["privacy-consent.v1": [2]])
        let marker = Marker()
        let store = store(keychain, .clearsItems(marker))
        keychain.answer("add", [.interactionNotAllowed])
        #expect(await storeError { try await store.read(.privacyConsent) } == .locked)
        #expect(!marker.isSet && keychain.value("privacy-consent.v1") == [2])
        // The defaults are read again when the device is unlocked, and say that the app was there before.
        marker.becomesReadable()
        #expect(try await store.read(.privacyConsent) == [2])
        #expect(keychain.value("latchkey.unlocked") == nil)
    }

    /// Defaults that are empty, and later have what was in them all the time.
    private final class Marker: InstallationMarker {
        private let state = Mutex((isSet: false, hidden: 0))

        var isSet: Bool {
            state.withLock {
                if $0.hidden == 1 { $0 = (true, 0) } else if $0.hidden > 1 { $0.hidden -= 1; return false }
                return $0.isSet
            }
        }
        func set() { state.withLock { $0.isSet = true } }
        func becomesReadable() { state.withLock { $0.hidden = 2 } }
    }
}

/// Items in memory, whose next answers can be told.
private final class ScriptedKeychain: KeychainItems {
    private struct State {
        var items: [String: [UInt8]]
        var answers: [String: [KeychainStatus]] = [:]
        var calls: [String] = []

        mutating func answer(to call: String) -> KeychainStatus? {
            calls.append(call)
            guard let answers = answers[call], !answers.isEmpty else { return nil }
            return self.answers[call]?.removeFirst()
        }
    }
    private let state: Mutex<State>

    init(_ items: [String: [UInt8]] = [:]) {
        state = Mutex(State(items: items))
    }

    var calls: [String] { state.withLock { $0.calls } }
    func value(_ account: String) -> [UInt8]? { state.withLock { $0.items[account] } }
    func answer(_ call: String, _ statuses: [KeychainStatus]) { state.withLock { $0.answers[call] = statuses } }

    func copy(_ account: String) -> (status: KeychainStatus, value: [UInt8]?) {
        state.withLock {
            if let told = $0.answer(to: "copy") { return (told, nil) }
            guard let value = $0.items[account] else { return (.itemNotFound, nil) }
            return (.success, value)
        }
    }
    func update(_ account: String, to value: [UInt8]) -> KeychainStatus {
        state.withLock {
            if let told = $0.answer(to: "update") { return told }
            guard $0.items[account] != nil else { return .itemNotFound }
            $0.items[account] = value
            return .success
        }
    }
    func add(_ account: String, _ value: [UInt8]) -> KeychainStatus {
        state.withLock {
            if let told = $0.answer(to: "add") { return told }
            guard $0.items[account] == nil else { return .duplicateItem }
            $0.items[account] = value
            return .success
        }
    }
    func delete(_ account: String?) -> KeychainStatus {
        state.withLock {
            if let told = $0.answer(to: "delete") { return told }
            guard let account else {
                $0.items = [:]
                return .success
            }
            return $0.items.removeValue(forKey: account) == nil ? .itemNotFound : .success
        }
    }
}
