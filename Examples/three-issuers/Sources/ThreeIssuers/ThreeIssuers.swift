// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import Hummingbird
import HummingbirdTokenAuth
import Logging
import TokenVerifier

/// What each request carries besides itself: who it comes from.
struct APIContext: TokenAuthRequestContext {
    var coreContext: CoreRequestContextStorage
    var identity: TokenIdentity?

    init(source: Source) {
        coreContext = .init(source: source)
    }
}

struct Greeting: ResponseEncodable {
    let subject: String?
    let issuer: String?
    let acceptedBy: String?
    let groups: [String]
}

@main
struct ThreeIssuers {
    static func main() async throws {
        do {
            try await serve()
        } catch let failure as DevelopmentMode.Failure {
            FileHandle.standardError.write(Data("\(failure)\n".utf8))
            exit(1)
        } catch let missing as Environment.Error {
            FileHandle.standardError.write(Data("\(missing.message ?? "the environment is not complete")\n".utf8))
            exit(1)
        }
    }

    private static func serve() async throws {
        let settings = try Settings(Environment())
        let isDevelopment = CommandLine.arguments.contains("--dev")
        let clock: @Sendable () -> Instant = { Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)) }

        // One catalog of keys and one verifier for the whole process.
        let keys = KeyCatalog(clock: clock)
        let verifier = TokenVerifier(settings.profiles, keys: keys, cache: VerifiedTokenCache(), clock: clock)

        let router = Router(context: APIContext.self)
        router.add(
            middleware: TokenAuthMiddleware(
                verifier,
                // Firebase has ID tokens only. Cognito's are refused: its profile is for access tokens.
                kinds: [.access, .id],
                exempt: ["/health"],
                development: try DevelopmentMode(
                    isOn: isDevelopment,
                    users: [DevelopmentUser("alice", groups: ["admin"], assuranceLevel: 2), DevelopmentUser("bob")])))
        router.get("/health") { _, _ in "ok" }
        router.get("/me") { _, context in
            let identity = try context.requireIdentity()
            let token = identity.verifiedToken
            return Greeting(
                subject: identity.subject, issuer: token?.issuer, acceptedBy: token?.profile,
                groups: identity.groups.sorted())
        }
        router.group("admin")
            .add(middleware: RequirePolicy(.requireGroups("admin", "testing")))
            .get { _, _ in "You are an administrator." }

        var application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 8081)))
        // The keys are there before the first request, and are renewed before they are stale.
        application.addServices(keys)
        application.beforeServerStarts { await verifier.hydrate() }
        try await application.runService()
    }
}
