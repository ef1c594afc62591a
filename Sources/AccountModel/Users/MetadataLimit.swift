// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// How much each object may hold that is kept of a user: metadata, a half of a dialect's place, what a provider said.
///
/// Objects only ever grow by being laid over each other, so the bound is on what comes of it and not on a request.
public enum MetadataLimit {
    /// The values that ``DirectorySettings/metadataLimit`` may have: bytes of JSON.
    public static let range = 1024...1 << 20
    /// A request's own, so that nothing a dialect can read is refused for its shape alone.
    package static let depth = 32
    package static let members = 10_000
}

extension DirectorySettings {
    /// - Parameters:
    ///   - object: as it would be kept.
    ///   - field: what the object is, in the domain's words.
    /// - Throws: ``AuthErrorCode/metadataTooLarge``.
    package func requireBounded(_ object: JSONObject, _ field: String) throws(AuthError) {
        let bytes = min(max(metadataLimit, MetadataLimit.range.lowerBound), MetadataLimit.range.upperBound)
        let limits = JSONLimits(depth: MetadataLimit.depth, members: MetadataLimit.members, bytes: bytes)
        do {
            _ = try object.serialized(within: limits)
        } catch {
            throw AuthError(
                .metadataTooLarge,
                reason: "more than \(bytes) bytes, \(MetadataLimit.members) members or \(MetadataLimit.depth) levels",
                field: field)
        }
    }
}
