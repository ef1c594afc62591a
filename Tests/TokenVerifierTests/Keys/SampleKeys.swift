// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

@testable import TokenVerifier

/// Keys made for this run of the tests, and a way to ask which of them a source knows.
enum SampleKeys {
    private static let keys = (try? ["one", "two", "three"].map { try SigningKey.generate(.es256, keyID: $0) }) ?? []

    /// A set of `one` alone.
    static let first = set(["one"])
    /// A set of `two` alone.
    static let second = set(["two"])

    static func object(_ keyID: String) -> JSONObject {
        keys.first { $0.keyID == keyID }?.publicJWK?.publicObject ?? JSONObject()
    }

    static func set(_ keyIDs: [String]) -> String {
        (["keys": .array(keyIDs.map { .object(object($0)) })] as JSONObject).text
    }

    static func fetched(_ keyIDs: [String], life: TimeSpan? = nil) throws(KeyFetchError) -> FetchedKeys {
        try FetchedKeys(keySet: Array(set(keyIDs).utf8), life: life)
    }
}

extension VerificationKeySet {
    /// Whether a token of this `kid` would find a key.
    func knows(_ keyID: String) -> Bool {
        let header = Base64URL.encode(Array(#"{"alg":"ES256","kid":"\#(keyID)"}"#.utf8))
        guard let token = try? ParsedJWS(parsing: "\(header).e30.AAAA".utf8) else { return false }
        return (try? key(for: token.header)) != nil
    }
}
