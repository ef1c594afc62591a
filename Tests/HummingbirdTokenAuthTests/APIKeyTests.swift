// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import HummingbirdTokenAuth
import Testing
import TokenVerifier

/// Keys in a store, which writes down their use, answers too generously, or is out of reach.
private final class KeyStore: APIKeyLookup {
    struct Unreachable: Error {}

    let uses = Mutex<[String]>([])
    let records: [APIKeyRecord]
    let answersAnything: Bool
    let isReachable: Bool

    init(_ records: [APIKeyRecord], answersAnything: Bool = false, isReachable: Bool = true) {
        self.records = records
        self.answersAnything = answersAnything
        self.isReachable = isReachable
    }

    func apiKey(digest: [UInt8]) async throws -> APIKeyRecord? {
        guard isReachable else { throw Unreachable() }
        return answersAnything ? records.first : records.first { $0.digest == digest }
    }

    func apiKeyWasUsed(_ key: APIKeyRecord, at now: Instant) async {
        uses.withLock { $0.append("\(key.id)@\(now.seconds)") }
    }
}

@Suite("X-API-Key")
struct APIKeyTests {
    private static let good = APIKeyRecord(
        id: "robot", digest: APIKeyRecord.digest(of: "lk_good"), scopes: ["read"], groups: ["testing"],
        expiresAt: APIBench.now + .seconds(1))
    private static let old = APIKeyRecord(
        id: "old", digest: APIKeyRecord.digest(of: "lk_old"), scopes: [], expiresAt: APIBench.now)

    private func bench(_ lookup: (any APIKeyLookup)?) throws -> APIBench {
        let bench = try APIBench()
        bench.router.add(
            middleware: TokenAuthMiddleware(
                try bench.verifier(), kinds: [.access],
                apiKeys: lookup.map { APIKeyAuthentication($0, clock: APIBench.clock) }, metrics: bench.metrics))
        bench.addRoutes([
            "/read": .requireScopes("read"), "/write": .requireScopes("write"), "/safe": .requireAAL(1),
            "/admin": .requireGroups("admin", "testing"),
        ])
        return bench
    }

    @Test("C-6 a good key is let in without a token, and its use is told")
    func good() async throws {
        let store = KeyStore([Self.good])
        let bench = try bench(store)
        #expect(try await bench.get("/me", .key("lk_good")).text == "robot aal0")
        #expect(store.uses.withLock { $0 } == ["robot@1700000000"])
    }

    @Test("C-6 a bad key is 401, even beside a good token")
    func bad() async throws {
        let store = KeyStore([Self.good, Self.old])
        let bench = try bench(store)
        let bad = ["", "lk_bad", "LK_GOOD", "lk_goo", "lk_good ext", "lk_old", String(repeating: "a", count: 5_000)]
        for key in bad {
            for headers in [HTTPFields.key(key), [.apiKey: key, .authorization: "Bearer \(try bench.token())"]] {
                let answer = try await bench.get("/me", headers)
                #expect(answer.status == .unauthorized, "\(key.prefix(20))")
                #expect(answer.error == "invalid_api_key")
                #expect(answer.challenge == "Bearer realm=\"api\"")
            }
        }
        var twice = HTTPFields()
        twice[values: .apiKey] = ["lk_good", "lk_good"]
        #expect(try await bench.get("/me", twice).status == .unauthorized)
        #expect(bench.refusals == ["bad_api_key": Int64(bad.count) * 2 + 1])
        #expect(store.uses.withLock { $0.isEmpty })
        #expect(!bench.log.text.contains("lk_"))
    }

    @Test("a store that answers with another key is not believed")
    func generousStore() async throws {
        let bench = try bench(KeyStore([Self.good], answersAnything: true))
        #expect(try await bench.get("/me", .key("lk_bad")).status == .unauthorized)
        #expect(try await bench.get("/me", .key("lk_good")).status == .ok)
    }

    @Test("a store out of reach is 503")
    func unreachable() async throws {
        let bench = try bench(KeyStore([], isReachable: false))
        let answer = try await bench.get("/me", .key("lk_good"))
        #expect(answer.status == .serviceUnavailable)
        #expect(answer.headers[.retryAfter] == "5")
        #expect(bench.refusals == ["api_keys_unavailable": 1])
    }

    @Test("a key may do what its scopes and groups say, and never passes for a sign-in")
    func policies() async throws {
        let bench = try bench(FixedAPIKeys([Self.old, Self.good]))
        #expect(try await bench.get("/read", .key("lk_good")).status == .ok)
        #expect(try await bench.get("/admin", .key("lk_good")).status == .ok)
        #expect(try await bench.get("/write", .key("lk_good")).status == .forbidden)
        #expect(try await bench.get("/safe", .key("lk_good")).status == .unauthorized)
        #expect(try await bench.get("/me", .key("lk_old")).status == .unauthorized)
        #expect(try await bench.get("/me", .key("lk_none")).status == .unauthorized)
    }

    @Test("an API without keys takes no notice of the header")
    func withoutKeys() async throws {
        let bench = try bench(nil)
        #expect(try await bench.get("/me", .key("lk_good")).error == "unauthorized")
        let headers: HTTPFields = [.apiKey: "x", .authorization: "Bearer \(try bench.token())"]
        #expect(try await bench.get("/me", headers).status == .ok)
    }
}
