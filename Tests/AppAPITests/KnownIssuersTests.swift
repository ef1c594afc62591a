// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE
import TestBench
import Testing
import TokenVerifier

@testable import ServerKit

@Suite("R9.16 a remembered issuer is good for what it was made of")
struct KnownIssuersTests {
    private static let now = Instant(seconds: 1_700_000_000)

    private let url = ServerURL("http://one.example")
    private let made = Made()

    private final class Made: Sendable {
        let count = Mutex(0)
    }

    private func directory(_ name: String = "default", version: Int64 = 1) -> Directory {
        Directory(
            id: DirectoryID("id-of-" + name), name: name, settings: DirectorySettings(), tokenKey: Secret([1]),
            createdAt: Self.now, updatedAt: Self.now, version: version)
    }

    private func issuer(_ known: KnownIssuers, _ directory: Directory, _ audience: String? = nil) -> OwnIssuer.Made {
        let issuer = known.issuer(of: directory, for: audience) {
            made.count.withLock { $0 += 1 }
            return OwnIssuer(
                url.text, of: directory, audience: audience ?? "app", keys: .tokens, sessionClaim: "sid",
                links: PlainLinks()
            ) { .latchkey(url: "", audiences: [], keys: $0, algorithms: [], leeway: .zero) }
        }
        return issuer.made
    }

    @Test("it is made once for one reading of the Directory, however often that is copied")
    func once() {
        let (known, directory) = (KnownIssuers(url), directory())
        let copy = directory
        #expect(issuer(known, directory) === issuer(known, copy))
        #expect(made.count.withLock { $0 } == 1)
    }

    @Test("a Directory that was read anew, or whose settings were changed, has another")
    func changed() {
        let (known, first) = (KnownIssuers(url), directory())
        let before = issuer(known, first)
        #expect(issuer(known, directory()) !== before)
        var changed = first
        changed.settings.issuer = "https://elsewhere.example"
        let after = issuer(known, changed)
        #expect(after !== before && after.directory.settings.issuer == "https://elsewhere.example")
        #expect(first.settings.issuer == nil && issuer(known, first).directory.settings.issuer == nil)
    }

    @Test("each audience and each Directory has its own")
    func apart() {
        let (known, one, other) = (KnownIssuers(url), directory(), directory("other"))
        let issuers = [issuer(known, one, "a"), issuer(known, one, "b"), issuer(known, one), issuer(known, other, "a")]
        #expect(Set(issuers.map { ObjectIdentifier($0) }).count == 4)
        #expect(issuer(known, one, "b") === issuers[1] && issuer(known, other, "a") === issuers[3])
    }

    @Test("a server that learns its URL late names itself by it from then on")
    func late() {
        let (known, directory) = (KnownIssuers(url), directory())
        #expect(issuer(known, directory).name == "http://one.example")
        url.resolve("http://two.example")
        #expect(issuer(known, directory).name == "http://two.example")
    }

    @Test("however many there are, a bounded number is kept, and each is the right one")
    func bounded() {
        let (known, directory) = (KnownIssuers(url), directory())
        for number in 0..<3000 { #expect(issuer(known, directory, "c\(number)").audience == "c\(number)") }
        let before = made.count.withLock { $0 }
        #expect(issuer(known, directory, "c2999").audience == "c2999")
        #expect(made.count.withLock { $0 } == before)
        #expect(issuer(known, directory, "c0").audience == "c0")
        #expect(made.count.withLock { $0 } == before + 1)
    }
}
