// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

/// Which `iss` a provider's tokens may have. Always one that is configured, or made of a configured pattern and a
/// tenant that is allowed: never one because a token says so.
enum IssuerRule: Sendable, Hashable {
    /// One issuer, under all the names that it writes itself. Identities are kept under the first.
    case one(String, alsoSpelled: Set<String> = [])
    /// One issuer a tenant (Microsoft): `base`, the tenant, and `/v2.0`.
    case tenants(base: String, Tenants)

    enum Tenants: Sendable, Hashable {
        /// Personal accounts, and every organization's.
        case all
        case organizations
        case some(Set<String>)

        /// The tenant that all personal accounts are in.
        static let personal = "9188040d-6c67-4c5b-b112-36a304b66dad"

        func contains(_ tenant: String) -> Bool {
            guard IssuerRule.isTenant(tenant) else { return false }
            return switch self {
            case .all: true
            case .organizations: tenant != Self.personal
            case .some(let tenants): tenants.contains(tenant)
            }
        }
    }

    /// Whose a token is that has these claims, by the name that its identities are kept under, and the values of `iss`
    /// that say so; `nil` for one of nobody's who is asked here.
    func issuer(of claims: JWTClaims) -> (name: String, spellings: Set<String>)? {
        switch self {
        case .one(let name, let spellings):
            let all = spellings.union([name])
            return claims.issuer.map(all.containsOctets) == true ? (name, all) : nil
        case .tenants(let base, let tenants):
            guard let tenant = claims["tid"]?.stringValue, tenants.contains(tenant) else { return nil }
            let name = "\(base)\(tenant)/v2.0"
            return claims.issuer.map([name].containsOctets) == true ? (name, [name]) : nil
        }
    }

    /// Whether an answer by a browser that names its issuer (RFC 9207) may be this provider's.
    func fits(_ issuer: String) -> Bool {
        switch self {
        case .one(let name, let spellings): return spellings.union([name]).containsOctets(of: issuer)
        case .tenants(let base, let tenants):
            let (octets, end) = (issuer.utf8, "/v2.0".utf8)
            guard octets.starts(with: base.utf8), octets.suffix(end.count).elementsEqual(end) else { return false }
            return tenants.contains(String(issuer.utf8.dropFirst(base.utf8.count).dropLast(end.count)) ?? "")
        }
    }

    /// A UUID in lower case, as tenants are written in tokens.
    static func isTenant(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && groups.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) } }
    }
}
