// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// What the operator adds to the claims of a user's tokens: a JSON object, kept in the half of this dialect's place
/// that only operators write.
struct CustomClaims {
    static let member = "claims"
    private static let maximumLength = 1000
    /// A thousand characters could nest deeper than what is kept of a user may.
    private static let limits = JSONLimits(depth: 16)
    /// OIDC Core, section 2, RFC 7519, section 4.1, and the platform's own.
    private static let reserved: Set<String> = [
        "acr", "amr", "at_hash", "aud", "auth_time", "azp", "cnf", "c_hash", "exp", "firebase", "iat", "iss", "jti",
        "nbf", "nonce", "sub",
    ]

    let object: JSONObject

    init(of user: User) {
        self.init(stored: user.dialectData[FirebaseDialect.name].byOperator[Self.member]?.objectValue ?? [:])
    }

    /// Those of the custom token that opened a session.
    init(of session: Session) {
        self.init(stored: session.claims)
    }

    private init(stored: JSONObject) {
        object =
            stored.names.contains(where: Self.reserved.contains)
            ? stored.members.reduce(into: JSONObject()) { kept, member in
                if !Self.reserved.contains(member.name) { kept[member.name] = member.value }
            } : stored
    }

    /// As an administrator writes them: the text of a JSON object; an empty text removes them.
    ///
    /// - Throws: `CLAIMS_TOO_LARGE`, `INVALID_CLAIMS`, `FORBIDDEN_CLAIM`.
    init(_ text: String) throws(WireError) {
        guard text.unicodeScalars.count <= Self.maximumLength else { throw WireError("CLAIMS_TOO_LARGE") }
        guard let object = text.isEmpty ? [:] : try? JSONObject(parsing: text.utf8, limits: Self.limits) else {
            throw WireError("INVALID_CLAIMS")
        }
        if let name = object.names.first(where: Self.reserved.contains) { throw WireError("FORBIDDEN_CLAIM", name) }
        self.object = object
    }

    /// What is kept of them.
    var stored: JSONObject { object.isEmpty ? [:] : [Self.member: .object(object)] }

    /// What to lay over what is kept.
    var change: JSONObject { [Self.member: object.isEmpty ? .null : .object(object)] }
}
