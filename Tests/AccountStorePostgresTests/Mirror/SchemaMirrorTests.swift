// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto
import Testing

@testable import AccountStorePostgres

@Suite("What a mirror is made of")
struct SchemaMirrorTests {
    /// Of the installation's words, in each version.
    private static let digests: [Int64: String] = [
        1: "2b3e024cc7aea533db155045111b1bca0a8199fad1b54f479ab4f691aadd1354",
        2: "fe5bfd5fcc1ee3d05fbf555c78312bc4815af9ff0e7b4d2c58bfcfbbfe2e36d3",
        3: "25eecb3c42b0c81f1be9a9e46a98720bab4673af8f6d23af1185757b5103b0ae",
        4: "07458920bae99116fb2249f06fdff9967fce3a12f1e5e22ba130ea633d12d789",
        5: "926e62ee1fce8bccb33d4a464c2c7dc6631c526b4ac06f8bf9d9130d5ef0537b",
        6: "c05b29a83773ad87afc7e592d0ba4ed7636315bbfb5b7d121dd49556a58d5be6",
        7: "b4462b2e2fe01705da661968d353b3920ca1f2744d6b5236ae1df79b3a2fbd22",
    ]

    @Test("An installation that says something else is of another version, so that servers install it anew")
    func version() throws {
        let mirror = try SchemaMirror(
            namespace: "auth", directory: DirectoryID("00000000-0000-4000-8000-000000000000"),
            dialect: DialectName("elsewhere"), ours: "latchkey")
        let words = mirror.installation.joined(separator: ";\n").split(whereSeparator: \.isWhitespace)
        let digest = SHA256.hash(data: Array(words.joined(separator: " ").utf8)).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        .joined()
        #expect(
            Self.digests[SchemaMirror.version] == digest,
            "Raise SchemaMirror.version, and write its digest down.")
    }
}
