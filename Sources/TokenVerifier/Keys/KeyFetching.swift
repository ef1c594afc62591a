// SPDX-License-Identifier: Apache-2.0

/// Fetches the keys of a location. One attempt: when it is made, and what becomes of its failure, is the cache's
/// affair.
public protocol KeyFetching: Sendable {
    /// Must end within a bounded time: while it runs, no other fetch of this location begins.
    func fetch(_ location: KeyLocation) async throws(KeyFetchError) -> FetchedKeys
}

/// Why keys could not be fetched. Quotes nothing of what the server said.
public enum KeyFetchError: Error, Sendable, Hashable {
    /// The address is neither `https` nor on this machine, or not one that can be read in only one way.
    case addressRefused
    /// No connection, or it broke.
    case unreachable
    /// The answer took too long.
    case timedOut
    /// More bytes than the limit.
    case tooLarge
    /// Another status than 200. Redirects are not followed.
    case status(Int)
    /// The body is not a set of public keys, or a set that breaks a rule of RFC 7517.
    case notKeys
    /// The issuer's metadata cannot be read, or names no `jwks_uri`.
    case notMetadata
    /// The metadata is another issuer's (OpenID Connect Discovery 1.0, section 4.3).
    case wrongIssuer
}

extension KeyFetchError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .addressRefused: "address refused"
        case .unreachable: "unreachable"
        case .timedOut: "timed out"
        case .tooLarge: "answer too large"
        case .status(let code): "status \(code)"
        case .notKeys: "not a set of public keys"
        case .notMetadata: "not the metadata of an issuer"
        case .wrongIssuer: "metadata of another issuer"
        }
    }
}
