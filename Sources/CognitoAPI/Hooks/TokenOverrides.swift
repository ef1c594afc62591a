// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes

/// What the trigger before a token has it say ("Pre token generation Lambda trigger", developer guide): version 1
/// changes the ID token and the groups of both, version 2 each of the two and the access token's scopes.
struct TokenOverrides {
    /// What the service keeps to itself in either token.
    private static let reserved: Set<String> = [
        "acr", "amr", "at_hash", "auth_time", "azp", "client_id", "device_key", "event_id", "exp", "iat", "iss", "jti",
        "nbf", "nonce", "origin_jti", "sub", "token_use", "username", "version", "identities", "scope", "aud", "cnf",
    ]
    /// Bytes: a token goes into a header.
    private static let limit = 16 << 10

    private struct Change {
        var added: JSONObject = [:]
        var suppressed: [String] = []
    }

    private var access = Change()
    private var id = Change()
    private var scopesAdded: [String] = []
    private var scopesSuppressed: Set<String> = []
    private var groups: [String]?

    /// - Throws: ``AuthErrorCode/hookFailed`` for what the service would not take.
    init(_ response: JSONObject, isSecond: Bool) throws(AuthError) {
        guard
            let details = try Self.object(
                isSecond ? "claimsAndScopeOverrideDetails" : "claimsOverrideDetails", in: response)
        else { return }
        if isSecond {
            if let part = try Self.object("idTokenGeneration", in: details) {
                id = try Self.change(part, isText: false)
            }
            if let part = try Self.object("accessTokenGeneration", in: details) {
                access = try Self.change(part, isText: false)
                scopesAdded = try Self.texts("scopesToAdd", in: part)
                scopesSuppressed = Set(try Self.texts("scopesToSuppress", in: part))
            }
        } else {
            id = try Self.change(details, isText: true)
        }
        if let override = try Self.object("groupOverrideDetails", in: details), override["groupsToOverride"] != nil {
            groups = try Self.texts("groupsToOverride", in: override)
        }
        guard scopesAdded.allSatisfy(Self.isScope) else { throw HookFailure.malformed.error("scopesToAdd") }
    }

    /// - Parameter claims: of the access token, and of the ID token where there is one.
    func apply(to claims: [JSONObject]) throws(AuthError) -> [JSONObject] {
        var changed: [JSONObject] = []
        for (index, own) in claims.enumerated() {
            var claims = own
            let change = index == 0 ? access : id
            for member in change.added.members { claims[member.name] = member.value }
            for name in change.suppressed { claims[name] = nil }
            if let groups { claims["cognito:groups"] = groups.isEmpty ? nil : .array(groups.map { .string($0) }) }
            if index == 0, !scopesAdded.isEmpty || !scopesSuppressed.isEmpty {
                let scopes = (own["scope"]?.stringValue ?? "").split(separator: " ").map(String.init)
                let kept = scopes.filter { !scopesSuppressed.contains($0) }
                claims["scope"] = .string((kept + scopesAdded.filter { !kept.contains($0) }).joined(separator: " "))
            }
            guard claims.serialized().count <= Self.limit else { throw HookFailure.tooLarge.error("claims") }
            changed.append(claims)
        }
        return changed
    }

    private static func change(_ part: JSONObject, isText: Bool) throws(AuthError) -> Change {
        var change = Change()
        change.added = try object("claimsToAddOrOverride", in: part) ?? [:]
        change.suppressed = try texts("claimsToSuppress", in: part)
        for member in change.added.members {
            try require(member.name)
            guard !isText || member.value.stringValue != nil else {
                throw HookFailure.malformed.error("the claim \(member.name) must be a text")
            }
        }
        for name in change.suppressed { try require(name) }
        return change
    }

    private static func require(_ name: String) throws(AuthError) {
        guard !reserved.contains(name), !name.hasPrefix("cognito:"), !name.hasPrefix("dev:") else {
            throw HookFailure.malformed.error("the claim \(name) is not the trigger's to change")
        }
    }

    /// What lets its holder at the user's own account is asked for and never given: a scope of the service's own is no
    /// trigger's to add.
    private static func isScope(_ text: String) -> Bool {
        !text.isEmpty && !text.hasPrefix("aws.cognito.") && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    private static func object(_ name: String, in object: JSONObject) throws(AuthError) -> JSONObject? {
        switch object[name] {
        case nil, .null: return nil
        case .object(let value): return value
        default: throw HookFailure.malformed.error("\(name): expected an object")
        }
    }

    private static func texts(_ name: String, in object: JSONObject) throws(AuthError) -> [String] {
        switch object[name] {
        case nil, .null: return []
        case .array(let values):
            let texts = values.compactMap(\.stringValue)
            guard texts.count == values.count else { throw HookFailure.malformed.error("\(name): expected texts") }
            return texts
        default: throw HookFailure.malformed.error("\(name): expected a list")
        }
    }
}
