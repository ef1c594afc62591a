// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import Hummingbird
import HummingbirdTokenAuth
import JOSE
import Logging
import TokenVerifier

/// A server with one answer on two routes, `/open` and `/protected/`. Prints its port and a token for the second.
@main
struct RouteBench {
    struct APIContext: TokenAuthRequestContext {
        var coreContext: CoreRequestContextStorage
        var identity: TokenIdentity?

        init(source: Source) { coreContext = .init(source: source) }
    }

    static func main() async throws {
        let now = Instant(seconds: 1_800_000_000)
        let key = try SigningKey.generate(.es256, keyID: "bench")
        let claims: JSONObject = [
            "iss": "https://issuer.example", "sub": "ada", "aud": "app", "exp": .integer(now.seconds + 3600),
            "iat": .integer(now.seconds),
        ]
        let token = try JWS.sign(claims, with: key)
        let profile = TokenProfile(
            name: "bench",
            rules: TokenRules(
                issuer: "https://issuer.example", audience: .audiences(["app"]), algorithms: [.es256],
                types: [.none, .jwt, .accessToken], kind: .access,
                requiresStatedKind: false),
            keys: try VerificationKeySet([key.verificationKey()]))
        let verifier = TokenVerifier(
            [profile], keys: KeyCatalog(clock: { now }), cache: VerifiedTokenCache(), clock: { now })

        let router = Router(context: APIContext.self)
        router.get("/open") { _, _ in "hello" }
        router.group("/protected").add(middleware: TokenAuthMiddleware(verifier, kinds: [.access]))
            .get("/") { _, context in
                _ = try context.requireIdentity()
                return "hello"
            }
        var logger = Logger(label: "route-bench")
        logger.logLevel = .error
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                print("\(channel.localAddress?.port ?? 0) \(token)")
                // Read by a program, through a pipe.
                fflush(nil)
            }, logger: logger)
        try await application.runService()
    }
}
