// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes

/// Accepts `X-API-Key` in place of a token, for programs. A request that carries one is judged by it alone: a bad key
/// is refused even beside a good token.
public struct APIKeyAuthentication: Sendable {
    /// Longer texts are no keys, and are not hashed.
    static let maximumLength = 512

    private let lookup: any APIKeyLookup
    private let clock: @Sendable () -> Instant

    /// - Parameters:
    ///   - lookup: finds what is kept of a key; asked with a digest, never with the key.
    ///   - clock: the time that expiry is judged by.
    public init(_ lookup: any APIKeyLookup, clock: @escaping @Sendable () -> Instant) {
        self.lookup = lookup
        self.clock = clock
    }

    /// The key that a request carries; `nil` when it carries none.
    func authenticate(_ headers: HTTPFields) async throws(AccessRefusal.Cause) -> APIKeyRecord? {
        guard headers.contains(.apiKey) else { return nil }
        let values = headers[values: .apiKey]
        guard let key = values.first, values.count == 1, (1...Self.maximumLength).contains(key.utf8.count) else {
            throw .apiKey
        }
        let digest = APIKeyRecord.digest(of: key)
        let record: APIKeyRecord?
        do {
            record = try await lookup.apiKey(digest: digest)
        } catch {
            throw .apiKeysUnavailable
        }
        let now = clock()
        // A store may have compared without case, or by a prefix.
        guard let record, constantTimeEqual(record.digest, digest), record.expiresAt.map({ now < $0 }) ?? true else {
            throw .apiKey
        }
        await lookup.apiKeyWasUsed(record, at: now)
        return record
    }
}

extension HTTPField.Name {
    static let apiKey = HTTPField.Name("X-API-Key") ?? .trailer
}
