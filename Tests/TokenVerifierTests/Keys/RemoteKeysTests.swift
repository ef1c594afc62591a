// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import Testing

@testable import TokenVerifier

@Suite("Keys of one location", .timeLimit(.minutes(10)))
struct RemoteKeysTests {
    let location = KeyLocation.jwks(url: "https://keys.example/keys")
    let clock = ManualClock()
    let fetcher = HeldFetcher()
    let keys: RemoteKeys

    init() {
        keys = RemoteKeys(location, fetcher: fetcher, clock: clock.read)
    }

    /// Lets the fetch that is about to begin end so.
    func end(_ outcome: HeldFetcher.Outcome) async {
        _ = await fetcher.begun()
        fetcher.end(location, outcome)
    }

    func fill(_ keyIDs: String..., life: TimeSpan? = nil) async throws {
        let fetched = try SampleKeys.fetched(keyIDs, life: life)
        async let ended: Void = end(.success(fetched))
        await keys.renew()
        await ended
    }

    @Test("C-3 a thousand callers of cold keys share one fetch, and all find its keys")
    func single() async throws {
        let fetched = try SampleKeys.fetched(["one"])
        let known = await withTaskGroup { group in
            for _ in 0..<1000 {
                group.addTask {
                    await keys.request(.none)
                    return keys.keys != nil
                }
            }
            await end(.success(fetched))
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(known == 1000)
        #expect(fetcher.count == 1)
    }

    @Test("Reading cold keys starts the first fetch and does not wait for it")
    func coldRead() async throws {
        #expect(keys.keys == nil)
        #expect(keys.keys == nil)
        #expect(keys.retryAfter == .seconds(1))
        await end(.success(try SampleKeys.fetched(["one"])))
        await keys.renew()
        #expect(keys.keys != nil)
        #expect(fetcher.count == 1)
    }

    @Test("While a renewal stalls, the old keys are read and nobody waits")
    func stalledRenewal() async throws {
        try await fill("one", life: .hours(1))
        clock.advance(.minutes(50))
        #expect(keys.keys != nil)
        #expect(await fetcher.begun() == location)
        for _ in 0..<1000 { #expect(keys.keys != nil) }
        #expect(fetcher.count == 2)
        fetcher.end(location, .failure(.timedOut))
    }

    @Test("F14 Ten thousand tokens of unknown kids, at once, cost one fetch in a cool-down")
    func flood() async throws {
        try await fill("one", life: .hours(24))
        let fetched = try SampleKeys.fetched(["one"], life: .hours(24))
        for (round, crowd) in [(2, 5000), (3, 100)] {
            await withTaskGroup { group in
                for _ in 0..<crowd { group.addTask { await keys.request(.unknownKey) } }
                await end(.success(fetched))
                await group.waitForAll()
                for _ in 0..<crowd { group.addTask { await keys.request(.unknownKey) } }
            }
            #expect(fetcher.count == round)
            clock.advance(.minutes(5))
        }
        #expect(keys.generation == 0)
    }

    @Test("A caller who is cancelled does not end the fetch of the others")
    func cancellation() async throws {
        let caller = Task { await keys.request(.none) }
        _ = await fetcher.begun()
        caller.cancel()
        fetcher.end(location, .success(try SampleKeys.fetched(["one"])))
        await caller.value
        #expect(keys.keys != nil)
    }

    @Test(
        "F13 Garbage never replaces good keys",
        arguments: [KeyFetchError.notKeys, .tooLarge, .status(302), .wrongIssuer])
    func garbage(error: KeyFetchError) async throws {
        try await fill("one", life: .hours(1))
        clock.advance(.hours(2))
        async let ended: Void = end(.failure(error))
        await keys.renew()
        await ended
        #expect(keys.keys?.knows("one") == true)
        #expect(keys.retryAfter == nil)
        #expect(keys.generation == 0)
    }

    @Test("F12 Cold and unreachable: no keys, and a time to come back at")
    func unreachable() async throws {
        for seconds: Int64 in [1, 2, 4] {
            async let ended: Void = end(.failure(.unreachable))
            await keys.request(.none)
            await ended
            #expect(keys.keys == nil)
            #expect(keys.retryAfter == .seconds(seconds))
            await keys.request(.none)
            clock.advance(.seconds(seconds))
        }
        #expect(fetcher.count == 3, "no attempt within a pause")
    }

    @Test("The generation moves when a key is withdrawn and when the grace ends, not when one is added")
    func generation() async throws {
        try await fill("one", life: .hours(1))
        clock.advance(.hours(1))
        try await fill("one", "two", life: .hours(1))
        #expect(keys.generation == 0)
        clock.advance(.hours(1))
        try await fill("two", life: .hours(1))
        #expect(keys.generation == 1)
        clock.advance(.hours(25))
        #expect(keys.keys == nil)
        #expect(keys.generation == 2)
        await end(.failure(.unreachable))
    }
}
