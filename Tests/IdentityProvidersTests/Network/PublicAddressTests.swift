// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Dispatch
import TestSupport
import Testing

@testable import IdentityProviders

@Suite("Where the server asks nothing")
struct PublicAddressTests {
    @Test("R45 R12.1 Addresses of a private network, of this machine and of no use are not the internet's")
    func table() {
        for address in [
            "10.0.0.1", "127.0.0.1", "127.1.2.3", "0.0.0.0", "169.254.169.254", "172.16.0.1", "172.31.255.255",
            "192.168.1.1", "100.64.0.1", "192.0.0.170", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1",
            "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "fc00::1", "fd12::1", "ff02::1",
            "2001:db8::1", "2001::1", "2002:7f00:1::", "3fff::1", "::ffff:10.0.0.1", "::ffff:127.0.0.1",
            "64:ff9b::a00:1",
            "fec0::1", "localhost", "", "1", "0x7f000001", "8.8.8.8\u{0}",
        ] {
            #expect(!PublicAddress.contains(address), "\(address)")
        }
        for address in [
            "8.8.8.8", "172.15.0.1", "172.32.0.1", "100.63.0.1", "192.167.0.1", "223.255.255.255", "2606:4700::1",
            "2a00:1450:4001::1", "::ffff:8.8.8.8", "64:ff9b::808:808",
        ] {
            #expect(PublicAddress.contains(address), "\(address)")
        }
    }

    @Test("R45 R12.1 A name that leads into a private network is not asked, unless the operator has written it")
    func names() async {
        // Nothing listens at port 9 of this machine, nor does anything let a test out.
        for place in ["10.0.0.1", "127.0.0.1", "169.254.169.254", "::1", "fd00::1"] {
            let client = OutwardClient(resolution: HostResolution { _ in [place] })
            await #expect(throws: OutwardFailure.addressRefused) {
                try await client.send(OutwardCall(get: "https://issuer.example:9/"), for: "p")
            }
        }
        for url in [
            "http://127.0.0.1:9/", "https://127.0.0.1:9/", "https://localhost:9/", "https://[::1]:9/",
            "https://10.0.0.1:9/", "https://[fd00::1]:9/", "https://[::ffff:127.0.0.1]:9/", "http://issuer.example/",
            "https://user@issuer.example/", "ftp://issuer.example/", "https://issuer.example\\@x/", "",
        ] {
            let client = OutwardClient(resolution: HostResolution { _ in ["127.0.0.1"] })
            await #expect(throws: OutwardFailure.addressRefused, "\(url)") {
                try await client.send(OutwardCall(get: url), for: "p")
            }
        }
        var rules = OutwardClient.Rules()
        rules.privateHosts = ["sso.corp.example"]
        let client = OutwardClient(rules, resolution: HostResolution { _ in ["127.0.0.1"] })
        await #expect(throws: OutwardFailure.unreachable) {
            try await client.send(OutwardCall(get: "https://SSO.corp.example:9/"), for: "p")
        }
    }

    @Test("R45 R12.1 Of a name's addresses those alone are tried that are the internet's, by both protocols in turn")
    func places() {
        let known = [
            "10.0.0.1", "2606:4700::1", "::1", "2606:4700::2", "8.8.8.8", "2606:4700::3", "8.8.4.4", "fd00::1",
        ]
        let tried = OutwardClient.places(known, isOwn: false)
        #expect(Array(tried) == ["2606:4700::1", "8.8.8.8", "2606:4700::2", "8.8.4.4"])
        #expect(OutwardClient.places(["10.0.0.1", "::1"], isOwn: false).isEmpty)
        #expect(Array(OutwardClient.places(["10.0.0.1", "::1"], isOwn: true)) == ["10.0.0.1", "::1"])
        #expect(OutwardClient.places([], isOwn: true).isEmpty)
    }

    @Test("R12.1 A name that nobody answers for is asked for once, however many wait")
    func lookUps() async throws {
        let asked = Mutex(0)
        let blocker = BlockedLookUp()
        let resolution = HostResolution { name in
            asked.withLock { $0 += 1 }
            blocker.wait()
            return name == "a.example" ? ["8.8.8.8"] : []
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { blocker.open() }
            for _ in 0..<20 {
                group.addTask { #expect(await resolution.addresses(of: "a.example") == ["8.8.8.8"]) }
            }
            // Whoever is cancelled does not wait for the system.
            let cancelled = Task { await resolution.addresses(of: "a.example") }
            cancelled.cancel()
            #expect(await cancelled.value == [])
            try await eventually("all twenty wait") { resolution.waiting(for: "a.example") >= 20 }
        }
        #expect(asked.withLock(\.self) == 1)
        #expect(await resolution.addresses(of: "8.8.4.4") == ["8.8.4.4"])
    }

    @Test("R12.1 Names that nobody answers for hold up no other domain's, however many: nor anything else that runs")
    func hangingNames() async throws {
        let blocker = BlockedLookUp()
        let resolution = HostResolution { name in
            guard name.hasSuffix("hanging.example") else { return ["8.8.8.8"] }
            blocker.wait()
            return []
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            let bounds = HostResolution.Bounds()
            defer { for _ in 0..<bounds.domain { blocker.open() } }
            for number in 0..<bounds.domain {
                group.addTask { #expect(await resolution.addresses(of: "a\(number).hanging.example") == []) }
            }
            for number in 0..<bounds.domain {
                let name = "a\(number).hanging.example"
                try await eventually("\(name) is asked for") { resolution.waiting(for: name) > 0 }
            }
            // Told at once, as nobody lets go.
            #expect(await resolution.addresses(of: "another.hanging.example") == [])
            #expect(await resolution.addresses(of: "login.fine.example") == ["8.8.8.8"])
        }
        #expect(await resolution.addresses(of: "b.a.fine.example") == ["8.8.8.8"])
    }

    @Test("R12.1 As many names are asked for at once as there are threads for, and room is made by each answer")
    func manyNames() async throws {
        let blocker = BlockedLookUp()
        let resolution = HostResolution(bounds: .init(all: 2, domain: 2)) { name in
            if name.hasPrefix("hanging") { blocker.wait() }
            return ["8.8.8.8"]
        }
        let first = Task { await resolution.addresses(of: "hanging.a.example") }
        let second = Task { await resolution.addresses(of: "hanging.b.test") }
        for name in ["hanging.a.example", "hanging.b.test"] {
            try await eventually("\(name) is asked for") { resolution.waiting(for: name) > 0 }
        }
        #expect(await resolution.addresses(of: "c.invalid") == [])
        blocker.open()
        blocker.open()
        #expect(await first.value == ["8.8.8.8"])
        #expect(await second.value == ["8.8.8.8"])
        #expect(await resolution.addresses(of: "c.invalid") == ["8.8.8.8"])
    }

    @Test("R12.1 Each provider has places of its own, and a full one is said to be at once")
    func gate() throws {
        let gate = CallGate(most: 2)
        try gate.enter("a")
        try gate.enter("a")
        #expect(throws: OutwardFailure.busy) { try gate.enter("a") }
        try gate.enter("b")
        gate.leave("a")
        try gate.enter("a")
        #expect(throws: OutwardFailure.busy) { try gate.enter("a") }
    }
}

/// A system's resolver that answers when a test lets it.
private final class BlockedLookUp: Sendable {
    private let gate = DispatchSemaphore(value: 0)

    func open() { gate.signal() }

    /// On a thread that is the resolver's own.
    func wait() { gate.wait() }
}
