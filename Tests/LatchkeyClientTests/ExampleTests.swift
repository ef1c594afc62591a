// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatchkeyClient
import Testing

/// The code of docs/client/README.md, so that it compiles and runs.
@MainActor @Suite struct ExampleTests {
    @Test("R13.8 R13.6 The lines that the documentation gives an app compile, and sign somebody in")
    func screens() async throws {
        let service = ScriptedService()
        service.on("signIn", .state(.signedIn(.ann)))
        let (store, clock) = (MemoryStore(), SystemClock())
        // documented
        let places = try RedirectAllowList(["/profile", "/settings/*"])
        let links = DeepLinks(
            router: DeepLinkRouter(schemes: ["myapp"], allowed: places), service: service,
            pending: PendingDeepLink(store: store, clock: clock, allowed: places))
        let gate = AgeGate(store: store)
        let screen = SignInModel(
            service: service, failures: SignInFailures(clock: clock), support: "help@example.com"
        ) { _ in
            print(await PlaceAfterSignIn.next(gate: gate, links: links))
        }
        screen.identifier = "ann@example.com"
        screen.password = "Passw0rd!"
        await screen.submit()
        print(screen.error?.message.text(in: .en) ?? "signed in")
        // end
        #expect(screen.error == nil && service.calls.count == 1)
        await service.signOut(SignOutOptions())
    }

    @Test("The documentation's lines are these")
    func document() throws {
        let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/client/README.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex(of: "        // documented"))
        let end = try #require(lines.firstIndex(of: "        // end"))
        let code = lines[(start + 1)..<end].map { $0.dropFirst(8) }.joined(separator: "\n")
        #expect(text.contains("```swift\n" + code + "\n```"))
    }
}
