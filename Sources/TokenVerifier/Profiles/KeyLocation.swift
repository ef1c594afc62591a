// SPDX-License-Identifier: Apache-2.0

/// Where an issuer publishes the keys it signs with. Written in code: never taken from a token.
public enum KeyLocation: Sendable, Hashable {
    /// A JSON Web Key Set (RFC 7517, section 5).
    case jwks(url: String)
    /// A JSON object of X.509 certificates in PEM, by `kid`.
    case certificates(url: String)
    /// The `jwks_uri` of the issuer's metadata (OpenID Connect Discovery 1.0, section 4), which must name this issuer.
    case discovery(issuer: String)
    /// Nowhere: the keys were given in code, and `id` tells them from others. See ``TokenProfile/fixedKeys``.
    case fixed(id: String)
}
