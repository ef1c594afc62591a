// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// What a hook may have an access token say: anything but who it is of, how and when they signed in, for whom the token
/// is, and a role that administers. What it says otherwise there is no answer, and no token is signed.
struct CustomizedClaims {
    /// As this server knows them.
    private static let reserved: Set<String> = [
        "iss", "sub", "aud", "exp", "iat", "nbf", "jti", "email", "phone", "aal", "amr", "session_id", "is_anonymous",
        "client_id", "scope", "cnf",
    ]
    /// Without which the platform takes no answer ("Custom Access Token Hook", Supabase documentation).
    private static let required = [
        "aud", "exp", "iat", "sub", "email", "phone", "role", "aal", "session_id", "is_anonymous",
    ]
    /// Bytes: a token goes into a header.
    private static let limit = 16 << 10

    private let administrators: Set<String>

    init(of directory: Directory) {
        administrators = Set(directory.settings.adminRoles)
    }

    /// - Returns: the claims to sign. A reserved one that the answer leaves out stands there all the same, but for how
    ///   the user signed in, which tokens are often cut by.
    /// - Throws: ``AuthErrorCode/hookFailed``, naming the claim.
    func judge(_ wanted: JSONObject, in shown: JSONObject) throws(AuthError) -> JSONObject {
        for name in Self.required where wanted[name] == nil {
            throw HookFailure.malformed.error("the claim \(name) is missing")
        }
        for member in wanted.members where Self.reserved.contains(member.name) {
            guard let own = shown[member.name], Self.isSame(own, member.value) else {
                throw HookFailure.malformed.error("the claim \(member.name) is not the hook's to change")
            }
        }
        if let role = wanted["role"], role != shown["role"] {
            guard let text = role.stringValue, !administrators.contains(text) else {
                throw HookFailure.malformed.error("the claim role is not the hook's to change so")
            }
        }
        var claims = wanted
        for name in ["iss", "client_id", "scope", "cnf"] where claims[name] == nil { claims[name] = shown[name] }
        guard claims.serialized().count <= Self.limit else { throw HookFailure.tooLarge.error("claims") }
        return claims
    }

    /// A number that went through another language's hands may come back as a fraction.
    private static func isSame(_ own: JSONValue, _ other: JSONValue) -> Bool {
        if own == other { return true }
        switch (own, other) {
        case (.integer(let left), .number(let right)): return right == Double(left)
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { isSame($0, $1) }
        case (.object(let left), .object(let right)):
            return left.members.count == right.members.count
                && left.members.allSatisfy { member in right[member.name].map { isSame(member.value, $0) } ?? false }
        default: return false
        }
    }
}
