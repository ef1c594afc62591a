// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import TestSupport
import Testing

@testable import TokenVerifier

@Suite("Fetching from a key server over a socket", .timeLimit(.minutes(10)))
struct KeyServerTests {
    /// Long enough for a machine that runs a thousand other tests: only an answer that never comes runs into it.
    let patient = HTTPKeyFetcher(timeout: .minutes(5))
    let hasty = HTTPKeyFetcher(timeout: .milliseconds(300))

    @Test("Keys come with the life that Cache-Control and Age leave them")
    func good() async throws {
        try await KeyServer.run { server in
            let keys = try await patient.fetch(.jwks(url: server.base + "/keys"))
            #expect(keys.keys.knows("one"))
            #expect(!keys.keys.knows("two"))
            #expect(keys.life == .seconds(500))
            #expect(try await patient.fetch(.jwks(url: server.base + "/silent")).life == nil)
        }
    }

    @Test("F13 What is not a key set is refused, whatever its status says")
    func garbage() async throws {
        try await KeyServer.run { server in
            for path in ["/html", "/truncated", "/empty", "/nothing"] {
                let url = server.base + path
                for location in [KeyLocation.jwks(url: url), .certificates(url: url)] {
                    await #expect(throws: KeyFetchError.notKeys) { try await patient.fetch(location) }
                }
            }
        }
    }

    @Test("F13 A body over the limit is refused as soon as it is, declared or endless")
    func large() async throws {
        try await KeyServer.run { server in
            await #expect(throws: KeyFetchError.tooLarge) {
                try await patient.fetch(.jwks(url: server.base + "/large"))
            }
            await #expect(throws: KeyFetchError.tooLarge) {
                try await patient.fetch(.jwks(url: server.base + "/endless"))
            }
            // The connection is closed, not drained.
            let requests = try await server.requests(through: "gave up")
            #expect(requests == ["/large", "/endless", "gave up"])
        }
    }

    @Test("F13 A server that stalls before or within its answer is given up")
    func stalled() async throws {
        try await KeyServer.run { server in
            for path in ["/stalled", "/dripping"] {
                await #expect(throws: KeyFetchError.timedOut) {
                    try await hasty.fetch(.jwks(url: server.base + path))
                }
            }
        }
    }

    @Test("F13 A redirect is not followed")
    func redirect() async throws {
        try await KeyServer.run { server in
            for status in [301, 302, 303, 307, 308] {
                await #expect(throws: KeyFetchError.status(status)) {
                    try await patient.fetch(.jwks(url: "\(server.base)/redirect/\(status)"))
                }
            }
            _ = try await patient.fetch(.jwks(url: server.base + "/keys"))
            let requests = try await server.requests(through: "/keys")
            #expect(requests.count == 6, "the target was never asked")
        }
    }

    @Test("Over TLS nothing is asked of a server whose certificate nobody vouches for")
    func certificates() async throws {
        try await withCertificate { certificate in
            try await KeyServer.run(certificate: certificate) { server in
                let keys = KeyLocation.jwks(url: server.base + "/keys")
                let trusting = HTTPKeyFetcher(timeout: .minutes(5), authorityFile: certificate)
                await #expect(throws: KeyFetchError.unreachable) { try await patient.fetch(keys) }
                let fetched = try await trusting.fetch(keys)
                #expect(fetched.keys.knows("one"))
                let requests = try await server.requests(through: "/keys")
                #expect(requests == ["/keys"], "the first was never sent")
            }
        }
    }

    @Test("Keys under any status but 200 are refused")
    func status() async throws {
        try await KeyServer.run { server in
            for code in [201, 203, 206, 400, 404, 429, 500, 503] {
                await #expect(throws: KeyFetchError.status(code)) {
                    try await patient.fetch(.jwks(url: "\(server.base)/status/\(code)"))
                }
            }
        }
    }

    @Test("F12 A server that hangs up, breaks off or is not there is unreachable")
    func unreachable() async throws {
        let gone = try await KeyServer.run { server in
            for path in ["/closing", "/short"] {
                await #expect(throws: KeyFetchError.unreachable) {
                    try await patient.fetch(.jwks(url: server.base + path))
                }
            }
            return server.base
        }
        await #expect(throws: KeyFetchError.unreachable) { try await patient.fetch(.jwks(url: gone + "/keys")) }
    }

    @Test("Discovery finds the keys of an issuer that names itself exactly, with or without a slash at its end")
    func discovery() async throws {
        try await KeyServer.run { server in
            for issuer in ["/issuer", "/slash/"] {
                let keys = try await patient.fetch(.discovery(issuer: server.base + issuer))
                #expect(keys.keys.knows("one"))
            }
            let requests = try await server.requests(through: "/keys")
            #expect(requests == ["/issuer/.well-known/openid-configuration", "/keys"])
        }
    }

    @Test("Metadata that lies or is none is refused, and its keys are not asked for")
    func lies() async throws {
        let cases: [(String, KeyFetchError)] = [
            ("wrong", .wrongIssuer), ("case", .wrongIssuer), ("issuer/", .wrongIssuer), ("slash", .wrongIssuer),
            ("keyless", .notMetadata), ("html", .notMetadata), ("elsewhere", .addressRefused),
            ("file", .addressRefused), ("issuer?x=", .addressRefused),
        ]
        try await KeyServer.run { server in
            for (name, error) in cases {
                await #expect(throws: error, "\(name)") {
                    try await patient.fetch(.discovery(issuer: "\(server.base)/\(name)"))
                }
            }
            _ = try await patient.fetch(.jwks(url: server.base + "/target"))
            let requests = try await server.requests(through: "/target")
            #expect(!requests.contains("/keys"))
        }
    }

    @Test("No address but https, or this machine, is asked")
    func addresses() async {
        for url in ["http://keys.example/keys", "ftp://127.0.0.1/keys", "https://a@keys.example/", ""] {
            await #expect(throws: KeyFetchError.addressRefused) { try await patient.fetch(.jwks(url: url)) }
        }
        await #expect(throws: KeyFetchError.addressRefused) { try await patient.fetch(.fixed(id: "a")) }
    }

    @Test("F15 After a rotation, the first token of the new key fetches it")
    func rotation() async throws {
        try await KeyServer.run { server in
            let clock = ManualClock()
            let keys = RemoteKeys(.jwks(url: server.base + "/rotating"), fetcher: patient, clock: clock.read)
            await keys.request(.none)
            #expect(keys.keys?.knows("one") == true)
            await keys.request(.unknownKey)
            #expect(keys.keys?.knows("two") == true)
            #expect(keys.keys?.knows("one") == false)
            #expect(keys.generation == 1)
        }
    }

    @Test("F12 The last good keys serve through an outage, and the next good ones replace them")
    func outage() async throws {
        try await KeyServer.run { server in
            let clock = ManualClock()
            let keys = RemoteKeys(.jwks(url: server.base + "/failing"), fetcher: patient, clock: clock.read)
            await keys.renew()
            clock.advance(.hours(2))
            for _ in 0..<2 {
                await keys.renew()
                #expect(keys.keys?.knows("one") == true)
                clock.advance(.minutes(1))
            }
            await keys.renew()
            #expect(keys.keys?.knows("two") == true)
        }
    }
}
