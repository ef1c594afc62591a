// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// An operator's notes on a pool, `TagResource`, `UntagResource`, `ListTagsForResource`; and what is told of an
/// identity to whoever grants access, `SetPrincipalTagAttributeMap`, `GetPrincipalTagAttributeMap`.
enum TagEndpoints {
    private static let most = 50
    private static let principalShape = WireShape.map(
        keys: Member("PrincipalTags", 1...128), .text(1...256), 0...50)
    private static let providerName = Member("IdentityProviderName", 1...128)

    // MARK: Notes

    static func tag(_ call: IdentityPoolCall) async throws -> JSONObject {
        let pool = try await named(call)
        guard let tags = try tags("Tags", of: call.input) else { throw Input.missing("Tags") }
        guard Set(pool.tags.keys).union(tags.keys).count <= most else {
            throw WireError.parameter("An identity pool can have at most \(most) tags.")
        }
        try await update(pool, call) { $0.tags.merge(tags) { _, new in new } }
        return [:]
    }

    static func untag(_ call: IdentityPoolCall) async throws -> JSONObject {
        let pool = try await named(call)
        guard let keys = try WireShape.list(.text(1...128), 0...most).read("TagKeys", of: call.input)?.arrayValue else {
            throw Input.missing("TagKeys")
        }
        let names = Set(keys.compactMap(\.stringValue))
        try await update(pool, call) { pool in pool.tags = pool.tags.filter { !names.contains($0.key) } }
        return [:]
    }

    static func tags(_ call: IdentityPoolCall) async throws -> JSONObject {
        ["Tags": encode(try await named(call).tags)]
    }

    static func tags(_ name: String, of input: Input) throws(WireError) -> [String: String]? {
        texts(try WireShape.map(keys: Member(name, 1...128), .text(0...256), 0...most).read(name, of: input))
    }

    static func encode(_ tags: [String: String]) -> JSONValue {
        var json = JSONObject()
        for (name, value) in tags.sorted(by: { $0.key < $1.key }) { json[name] = .string(value) }
        return .object(json)
    }

    /// `arn:aws:cognito-identity:{region}:{account}:identitypool/{id}`
    private static func named(_ call: IdentityPoolCall) async throws -> IdentityPool {
        let arn = try call.input.required(Member("ResourceArn", 20...2048))
        let parts = arn.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        let kind = "identitypool/"
        guard parts.count == 6, parts[0] == "arn", parts[2] == "cognito-identity", parts[5].hasPrefix(kind) else {
            throw WireError.parameter("Invalid ARN")
        }
        let id = String(parts[5].dropFirst(kind.count))
        guard let own = call.dialect.identityPoolID(id), let pool = try await call.accounts.identityPools.pool(own),
            pool.directoryID == call.flow.directory.id
        else { throw IdentityPoolErrors.noPool(id) }
        return pool
    }

    private static func update(
        _ pool: IdentityPool, _ call: IdentityPoolCall, _ change: @escaping @Sendable (inout IdentityPool) -> Void
    ) async throws {
        _ = try await call.accounts.identityPoolAdministration.update(pool.id, call: call.flow, change)
    }

    // MARK: What is told of an identity

    static func setPrincipalTags(_ call: IdentityPoolCall) async throws -> JSONObject {
        let (pool, provider) = (try call.pool(), try self.provider(call))
        let tags = PrincipalTags(
            usesDefaults: try call.input.flag("UseDefaults") ?? false, claims: try principalTags(of: call.input) ?? [:])
        try await update(pool, call) { $0.principalTags[provider] = tags }
        return answer(tags, pool, provider, call)
    }

    static func principalTags(_ call: IdentityPoolCall) async throws -> JSONObject {
        let (pool, provider) = (try call.pool(), try self.provider(call))
        return answer(pool.principalTags[provider] ?? PrincipalTags(usesDefaults: false), pool, provider, call)
    }

    static func principalTags(of input: Input) throws(WireError) -> [String: String]? {
        texts(try principalShape.read("PrincipalTags", of: input))
    }

    private static func provider(_ call: IdentityPoolCall) throws -> LoginProvider {
        let name = try call.input.required(providerName)
        guard let provider = call.names.provider(name, in: try call.pool()) else {
            throw WireError.parameter("\(Input.excerpt(name)) is not a provider of this identity pool.")
        }
        return provider
    }

    private static func answer(
        _ tags: PrincipalTags, _ pool: IdentityPool, _ provider: LoginProvider, _ call: IdentityPoolCall
    ) -> JSONObject {
        var shown = tags.claims
        if tags.usesDefaults, case .users = provider { shown = PrincipalTags.defaults }
        return [
            "IdentityPoolId": .string(call.dialect.wireID(pool.id)),
            "IdentityProviderName": .string(call.names.shown(provider, in: pool)),
            "UseDefaults": .bool(tags.usesDefaults), "PrincipalTags": encode(shown),
        ]
    }

    private static func texts(_ value: JSONValue?) -> [String: String]? {
        guard let members = value?.objectValue?.members else { return nil }
        return Dictionary(
            members.compactMap { member in member.value.stringValue.map { (member.name, $0) } },
            uniquingKeysWith: { first, _ in first })
    }
}
