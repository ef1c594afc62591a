// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What this dialect keeps of a provider beside what everybody does.
struct ProviderKeeping: Sendable, Hashable {
    /// Where the provider sends browsers, if not to this server's own `/callback`: some gateway's name for it.
    var redirectURI: String?
    /// What is sent along with every request for a sign-in.
    var authorizationParameters: [String: String] = [:]

    init(redirectURI: String? = nil, authorizationParameters: [String: String] = [:]) {
        self.redirectURI = redirectURI
        self.authorizationParameters = authorizationParameters
    }

    init(_ provider: IdentityProvider) {
        let kept = provider.kept(by: SupabaseDialect.name)
        redirectURI = kept["redirect_uri"]?.stringValue
        for member in kept["authorization_params"]?.objectValue?.members ?? [] {
            authorizationParameters[member.name] = member.value.stringValue
        }
    }

    func write(to provider: inout IdentityProvider) {
        var kept = JSONObject()
        kept["redirect_uri"] = redirectURI.map { .string($0) }
        if !authorizationParameters.isEmpty { kept["authorization_params"] = .object(parameters) }
        provider.keep(kept, by: SupabaseDialect.name)
    }

    /// The parameters in the order of their names.
    var parameters: JSONObject {
        var parameters = JSONObject()
        for (name, value) in authorizationParameters.sorted(by: { $0.key < $1.key }) {
            parameters[name] = .string(value)
        }
        return parameters
    }
}
