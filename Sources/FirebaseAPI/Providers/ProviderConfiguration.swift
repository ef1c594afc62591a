// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// One identity provider of the Directory's as this dialect writes it.
enum ProviderConfiguration {
    private static let responseType = "responseType"
    private static let apple = "appleSignInConfig"

    /// The secret among it: configurations are for administrators alone.
    static func encode(_ provider: IdentityProvider) -> JSONObject {
        var json: JSONObject = ["enabled": .bool(provider.isEnabled)]
        json["displayName"] = provider.displayName.map { .string($0) }
        json["clientId"] = provider.clientIDs.first.map { .string($0) }
        switch provider.kind {
        case .openID:
            json["issuer"] = provider.issuer.map { .string($0) }
            json["clientSecret"] = provider.secret.map { .string($0.reveal()) }
            json[responseType] =
                provider.kept(by: FirebaseDialect.name)[responseType]
                ?? (provider.secret == nil ? ["idToken": true] : ["code": true])
        case .apple:
            var flow = JSONObject()
            flow["teamId"] = provider.appleTeamID.map { .string($0) }
            flow["keyId"] = provider.appleKeyID.map { .string($0) }
            flow["privateKey"] = provider.secret.map { .string($0.reveal()) }
            var config = JSONObject()
            if !flow.isEmpty { config["codeFlowConfig"] = .object(flow) }
            let bundles = provider.clientIDs.dropFirst()
            if !bundles.isEmpty { config["bundleIds"] = .array(bundles.map { .string($0) }) }
            if !config.isEmpty { json[apple] = .object(config) }
        case .google, .microsoft, .github, .facebook:
            json["clientSecret"] = provider.secret.map { .string($0.reveal()) }
        }
        return json
    }

    /// - Parameter json: all that the provider is to be, as ``ProviderKind/require(_:)`` has judged it.
    /// - Throws: `INVALID_CONFIG` for a member that is another kind's.
    static func apply(_ json: JSONObject, to provider: inout IdentityProvider) throws {
        let config = Input(object: json)
        provider.isEnabled = try config.flag("enabled") ?? false
        provider.displayName = try config.given("displayName")
        let others = provider.clientIDs.dropFirst()
        let first = [try config.given("clientId")].compactMap { $0 }
        if provider.kind == .apple {
            guard !config.has("clientSecret") else { throw ConfigurationField.unsupported("clientSecret") }
            let own = try config.members(apple)
            let flow = try own?.members("codeFlowConfig")
            provider.appleTeamID = try flow?.given("teamId")
            provider.appleKeyID = try flow?.given("keyId")
            provider.secret = try flow?.secret("privateKey")
            provider.clientIDs = first + (try own?.texts("bundleIds") ?? []).filter { !first.contains($0) }
            return
        }
        guard !config.has(apple) else { throw ConfigurationField.unsupported(apple) }
        provider.clientIDs = first + others.filter { !first.contains($0) }
        provider.secret = try config.secret("clientSecret")
        guard provider.kind == .openID else { return }
        provider.issuer = try config.given("issuer")
        provider.keep(config.value(responseType).map { [responseType: $0] } ?? [:], by: FirebaseDialect.name)
    }
}
