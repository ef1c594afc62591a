// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// How the role of whoever logs in by one provider is chosen.
public struct RoleMapping: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// The token says it.
        case token
        /// The first rule says it that the token's claims meet.
        case rules([Rule])
    }

    /// What is done where nothing says a role, or several are said and none is preferred.
    public enum Ambiguity: String, Sendable, Hashable, CaseIterable {
        case authenticatedRole
        case deny
    }

    public struct Rule: Sendable, Hashable {
        public enum Match: String, Sendable, Hashable, CaseIterable {
            case equals, contains, startsWith, notEqual
        }

        public var claim: String
        public var match: Match
        public var value: String
        public var role: String

        public init(claim: String, match: Match, value: String, role: String) {
            self.claim = claim
            self.match = match
            self.value = value
            self.role = role
        }

        /// Whether the claim is as the rule says. Of a list one element is enough, but that none may be equal where the
        /// rule says `notEqual`. What is not there meets no rule.
        func holds(for claims: JSONObject) -> Bool {
            guard let claim = claims[claim] else { return false }
            let texts = ClaimTexts.all(of: claim)
            guard !texts.isEmpty else { return false }
            return switch match {
            case .equals: texts.contains { $0.utf8.elementsEqual(value.utf8) }
            case .contains: texts.contains { ClaimTexts.holds($0, value) }
            case .startsWith: texts.contains { $0.utf8.starts(with: value.utf8) }
            case .notEqual: !texts.contains { $0.utf8.elementsEqual(value.utf8) }
            }
        }
    }

    public var kind: Kind
    public var ambiguity: Ambiguity?

    public init(_ kind: Kind, ambiguity: Ambiguity? = nil) {
        self.kind = kind
        self.ambiguity = ambiguity
    }
}

/// The role that an identity is given credentials for.
public enum RoleChoice {
    /// What a token says of roles, in whatever words.
    public struct TokenRoles: Sendable, Hashable {
        public var all: [String]
        public var preferred: String?

        public init(all: [String] = [], preferred: String? = nil) {
            self.all = all
            self.preferred = preferred
        }
    }

    /// A login that was shown.
    public struct Shown: Sendable {
        public var source: LoginSource
        public var claims: JSONObject
        public var roles: TokenRoles

        public init(source: LoginSource, claims: JSONObject, roles: TokenRoles) {
            self.source = source
            self.claims = claims
            self.roles = roles
        }
    }

    public enum Outcome: Sendable, Hashable {
        case role(String)
        /// The pool has none for it.
        case none
        /// The mapping says that whoever has none of their own has none.
        case denied
        /// The caller has asked for one that is not theirs.
        case notTheirs
    }

    /// - Parameters:
    ///   - logins: those that were shown; the first that has a mapping decides. Empty for a guest.
    ///   - isAuthenticated: whether it is no guest.
    ///   - wanted: the role that the caller asks for, of several that the token says.
    public static func choose(
        in pool: IdentityPool, for logins: [Shown], isAuthenticated: Bool, wanted: String?
    ) -> Outcome {
        guard isAuthenticated else { return only(pool.roles.guest, wanted) }
        for login in logins {
            let mapping = pool.roleMappings[login.source] ?? pool.roleMappings[LoginSource(login.source.provider)]
            guard let mapping else { continue }
            return choose(by: mapping, login, pool.roles.authenticated, wanted)
        }
        return only(pool.roles.authenticated, wanted)
    }

    private static func choose(
        by mapping: RoleMapping, _ login: Shown, _ other: String?, _ wanted: String?
    ) -> Outcome {
        switch mapping.kind {
        case .token:
            let roles = login.roles
            if let wanted { return roles.all.contains(wanted) ? .role(wanted) : .notTheirs }
            if let preferred = roles.preferred { return .role(preferred) }
            if roles.all.count == 1 { return .role(roles.all[0]) }
        case .rules(let rules):
            if let rule = rules.first(where: { $0.holds(for: login.claims) }) { return only(rule.role, wanted) }
        }
        return mapping.ambiguity == .authenticatedRole ? only(other, wanted) : .denied
    }

    private static func only(_ role: String?, _ wanted: String?) -> Outcome {
        guard let role else { return .none }
        return wanted == nil || wanted == role ? .role(role) : .notTheirs
    }
}

/// A claim as the texts that it says.
enum ClaimTexts {
    /// A number or a Boolean as JSON writes it; of a list each element; nothing of an object.
    static func all(of claim: JSONValue) -> [String] {
        switch claim {
        case .string(let text): [text]
        case .integer, .number, .bool: [claim.text]
        case .array(let elements): elements.flatMap { $0.arrayValue == nil ? all(of: $0) : [] }
        case .object, .null: []
        }
    }

    /// Whether the octets of `part` stand in `text` one after another. Each octet of the text is compared twice at most
    /// (Knuth, Morris and Pratt, 1977): people write the claims, and operators may have hundreds of rules over them.
    static func holds(_ text: String, _ part: String) -> Bool {
        let part = Array(part.utf8)
        guard !part.isEmpty else { return true }
        // How much of the part's beginning is at hand still where the next octet is another.
        var rest = [Int](repeating: 0, count: part.count)
        var length = 0
        for index in part.indices.dropFirst() {
            while length > 0, part[index] != part[length] { length = rest[length - 1] }
            if part[index] == part[length] { length += 1 }
            rest[index] = length
        }
        length = 0
        for octet in text.utf8 {
            while length > 0, octet != part[length] { length = rest[length - 1] }
            if octet == part[length] { length += 1 }
            if length == part.count { return true }
        }
        return false
    }
}
