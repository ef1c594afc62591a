// SPDX-License-Identifier: Apache-2.0

/// Whom a token must have been made for. An empty set accepts nobody's.
public enum AudienceRule: Sendable, Hashable {
    /// `aud` names at least one of these.
    case audiences(Set<String>)
    /// The claim `client_id` is one of `clients`. Where the token has an `aud` as well, that must name one of
    /// `audiences` (RFC 7519, section 4.1.3).
    case clients(Set<String>, audiences: Set<String>)
}
