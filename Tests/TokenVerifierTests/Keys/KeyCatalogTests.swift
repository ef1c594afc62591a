// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Logging
import ServiceLifecycle
import Testing

@testable import TokenVerifier

@Suite("The key sources of a process", .timeLimit(.minutes(10)))
struct KeyCatalogTests {
    let locations = [
        KeyLocation.jwks(url: "https://a.example/keys"), .certificates(url: "https://a.example/keys"),
        .discovery(issuer: "https://b.example"),
    ]
    let clock = ManualClock()
    let fetcher = HeldFetcher()
    let catalog: KeyCatalog

    init() {
        catalog = KeyCatalog(fetcher: fetcher, clock: clock.read, wait: clock.wait)
    }

    func remote(_ location: KeyLocation) throws -> RemoteKeys {
        try #require(catalog.source(for: location) as? RemoteKeys)
    }

    @Test("C-12 A location has one source, whoever asks; another has another")
    func one() throws {
        for location in locations {
            #expect(try remote(location) === remote(location))
            for other in locations where other != location {
                #expect(try remote(location) !== remote(other))
            }
        }
        #expect(catalog.source(for: .fixed(id: "a")).keys == nil)
    }

    @Test("R12.1 a location that is asked for stays, however many others somebody names; those are forgotten")
    func bounded() throws {
        let location = KeyLocation.jwks(url: "https://used.example/keys")
        let used = try remote(location)
        let early = try remote(.jwks(url: "https://a.example/0"))
        for number in 0..<(2 * KeyCatalog.mostLocations) {
            _ = try remote(.jwks(url: "https://a.example/\(number)"))
            #expect(try remote(location) === used)
        }
        #expect(try remote(.jwks(url: "https://a.example/0")) !== early)
        #expect(catalog.locations <= KeyCatalog.mostLocations)
    }

    @Test("C-10 hydration fetches all locations at once, and returns when each attempt has ended")
    func hydrate() async throws {
        for location in locations { _ = catalog.source(for: location) }
        let fetched = try SampleKeys.fetched(["one"])
        async let hydrated: Void = catalog.hydrate()
        var begun: Set<KeyLocation> = []
        for _ in locations { begun.insert(try #require(await fetcher.begun())) }
        #expect(begun == Set(locations), "each began before any ended")
        fetcher.end(locations[0], .success(fetched))
        fetcher.end(locations[1], .failure(.unreachable))
        fetcher.end(locations[2], .success(fetched))
        await hydrated
        #expect(locations.map { catalog.source(for: $0).keys != nil } == [true, false, true])
        await catalog.hydrate()
        #expect(fetcher.count == 3, "what is there, or has just failed, is not fetched again")
    }

    @Test("C-10 the service renews keys before they are stale, and ends on graceful shutdown")
    func service() async throws {
        let keys = try remote(locations[0])
        let group = ServiceGroup(services: [catalog], logger: Logger(label: "test"))
        let running = Task { try await group.run() }
        #expect(await fetcher.begun() == locations[0])
        fetcher.end(locations[0], .success(try SampleKeys.fetched(["one"], life: .hours(1))))
        await keys.renew()

        // The service looks again within half a minute; the renewal comes with a fifth of the life left.
        var passed = TimeSpan.zero
        while fetcher.count == 1, passed < .hours(2) {
            let pause = try #require(await clock.nextWait())
            #expect(pause > .zero && pause <= .seconds(30))
            passed = TimeSpan(microseconds: passed.microseconds + pause.microseconds)
            clock.advance(pause)
            // Both the fetch and the next wait come from the service's next turn.
            if passed >= .minutes(48) { break }
        }
        #expect(await fetcher.begun() == locations[0])
        #expect(passed >= .minutes(48) && passed < .minutes(49))
        fetcher.end(locations[0], .success(try SampleKeys.fetched(["two"], life: .hours(1))))
        await keys.renew()
        #expect(keys.keys?.knows("two") == true)

        await group.triggerGracefulShutdown()
        try await running.value
    }

    @Test("The service goes on through failures, and takes up locations that are added while it runs")
    func addedLater() async throws {
        let running = Task { try await catalog.run() }
        #expect(await clock.nextWait() == .seconds(30))
        _ = catalog.source(for: locations[2])
        clock.advance(.seconds(30))
        for _ in 0..<3 {
            #expect(await fetcher.begun() == locations[2])
            fetcher.end(locations[2], .failure(.unreachable))
            try await remote(locations[2]).renew()
            let pause = try #require(await clock.nextWait())
            clock.advance(max(pause, .seconds(4)))
        }
        running.cancel()
        try await running.value
    }
}
