// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import CoreMetrics
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import HummingbirdTokenAuth
import JOSE
import MetricsTestKit
import TokenVerifier

struct APIContext: TokenAuthRequestContext {
    var coreContext: CoreRequestContextStorage
    var identity: TokenIdentity?

    init(source: Source) {
        coreContext = .init(source: source)
    }
}

/// An issuer whose keys have never been had.
struct ColdKeys: KeyProviding, KeySource {
    var keys: VerificationKeySet? { nil }
    var retryAfter: TimeSpan? { .milliseconds(6_200) }
    func request(_: KeyNeed) async {}
    func source(for _: KeyLocation) -> any KeySource { self }
}

/// A small API put together as an application does it: `/me` says who asks, `/admin` is for two groups.
struct APIBench {
    static let now = Instant(seconds: 1_700_000_000)
    static let clock: @Sendable () -> Instant = { now }
    static let issuer = "https://issuer.example"

    let log = LogLines()
    let metrics = TestMetrics()
    let router: Router<APIContext>
    let key: SigningKey

    init(options: RouterOptions = []) throws {
        router = Router(context: APIContext.self, options: options)
        key = try SigningKey.generate(.es256, keyID: "k1")
    }

    /// Access tokens of one issuer, with its key in hand.
    func verifier(_ kind: TokenKind = .access, cache: VerifiedTokenCache? = nil) throws -> TokenVerifier {
        let keys = try VerificationKeySet([try key.verificationKey()])
        let profile = TokenProfile(name: "test", rules: Self.rules(kind), keys: keys)
        return TokenVerifier([profile], keys: ColdKeys(), cache: cache, clock: Self.clock)
    }

    func coldVerifier() -> TokenVerifier {
        let profile = TokenProfile(name: "cold", rules: Self.rules(.access), keys: .jwks(url: Self.issuer))
        return TokenVerifier([profile], keys: ColdKeys(), clock: Self.clock)
    }

    private static func rules(_ kind: TokenKind) -> TokenRules {
        TokenRules(
            issuer: issuer, audience: .audiences(["api"]), algorithms: [.es256], types: [.none, .jwt, .accessToken],
            kind: kind,
            requiresStatedKind: false)
    }

    func token(_ changes: JSONObject = [:]) throws -> String {
        let claims: JSONObject = [
            "iss": .string(Self.issuer), "aud": "api", "sub": "user-1", "iat": .integer(Self.now.seconds - 60),
            "exp": .integer(Self.now.seconds + 600),
        ]
        return try JWS.sign(claims.merging(changes), with: key)
    }

    /// With the middleware that a test gave the router in front, one route a policy.
    func addRoutes(_ policies: [String: AccessPolicy] = [:]) {
        router.get("/me") { _, context in
            let identity = try context.requireIdentity()
            return "\(identity.subject ?? "nobody") aal\(identity.assuranceLevel)"
        }
        router.get("/health") { _, context in context.identity == nil ? "open" : "known" }
        router.get("/docs/{page}") { _, _ in "page" }
        router.get("/docs") { _, _ in "docs" }
        router.get("/K") { _, _ in "K" }
        for (path, policy) in policies {
            router.group(RouterPath(path)).add(middleware: RequirePolicy(policy, metrics: metrics))
                .get { _, _ in "let in" }
        }
    }

    func test<Value>(
        _ setup: TestingSetup = .router, _ steps: @Sendable (any TestClientProtocol) async throws -> Value
    ) async throws -> Value {
        let application = Application(
            responder: router.buildResponder(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)), logger: log.logger)
        return try await application.test(setup, steps)
    }

    /// One request's answer.
    func get(_ uri: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        try await test { try await $0.execute(uri: uri, method: .get, headers: headers) }
    }

    /// How often a request was refused, by code.
    var refusals: [String: Int64] {
        var counts: [String: Int64] = [:]
        for counter in metrics.counters(label: "token_auth_refused_total") {
            for (name, value) in counter.dimensions where name == "code" {
                counts[value, default: 0] += counter.totalValue
            }
        }
        return counts
    }
}

extension HTTPFields {
    static func bearer(_ token: String) -> HTTPFields { [.authorization: "Bearer \(token)"] }
    static func key(_ key: String) -> HTTPFields { [.apiKey: key] }
}

extension HTTPField.Name {
    static let apiKey = HTTPField.Name("X-API-Key") ?? .trailer
}

extension TestResponse {
    var text: String { String(buffer: body) }
    var object: JSONObject? { try? JSONObject(parsing: text.utf8) }
    var error: String? { object?["error"]?.stringValue }
    var challenge: String? { headers[.wwwAuthenticate] }
}
