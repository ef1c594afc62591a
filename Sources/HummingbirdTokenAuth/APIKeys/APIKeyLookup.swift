// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Finds the API keys of an application, wherever it keeps them.
public protocol APIKeyLookup: Sendable {
    /// The key whose SHA-256 is `digest` (32 bytes); `nil` for one that is unknown or revoked. Expiry, and the digest
    /// once more in constant time, are judged by the caller.
    ///
    /// - Throws: anything, when the keys can't be reached: the request is answered with 503.
    func apiKey(digest: [UInt8]) async throws -> APIKeyRecord?

    /// Called with each accepted use, before the request is handled. A lookup that writes it down should do so at most
    /// once in a while, and keep its failures to itself.
    func apiKeyWasUsed(_ key: APIKeyRecord, at now: Instant) async
}

extension APIKeyLookup {
    public func apiKeyWasUsed(_: APIKeyRecord, at _: Instant) async {}
}
