// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import JOSE

@Suite struct KnownSecretsTests {
    @Test(
        "Secrets out of manuals and samples are known",
        arguments: [
            "super-secret-jwt-token-with-at-least-32-characters-long",
            "your-super-secret-jwt-token-with-at-least-32-characters-long",
        ])
    func known(secret: String) {
        #expect(KnownSecrets.contains(Secret(Array(secret.utf8))))
        #expect(!KnownSecrets.contains(Secret(Array((secret + "x").utf8))))
        #expect(!KnownSecrets.contains(Secret(Array(secret.utf8.dropLast()))))
    }

    @Test("A random secret is not known")
    func unknown() {
        let source = SystemRandomSource()
        for _ in 0..<1_000 { #expect(!KnownSecrets.contains(Secret(source.bytes(32)))) }
        #expect(!KnownSecrets.contains(Secret([])))
    }

    @Test("The digests are in ascending order, each once, and all are there")
    func table() {
        let digests = KnownSecrets.digestPrefixes
        // 1,918 lines of the list, of which 56 repeat another, and one sample beside it.
        #expect(digests.count == 1_863)
        #expect(zip(digests, digests.dropFirst()).allSatisfy { $0 < $1 })
    }
}
