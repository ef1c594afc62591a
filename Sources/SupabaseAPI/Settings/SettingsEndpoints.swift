// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import JOSE

/// What the server says of itself.
enum SettingsEndpoints {
    /// `GET /settings`
    static func settings(_ call: DialectCall) async throws -> Response {
        let signUp = call.flow.settings.signUp
        var external = JSONObject()
        external["anonymous_users"] = .bool(signUp.anonymousEnabled)
        let enabled = Set(
            try await call.accounts.identityProviders.enabled(in: call.directory.id).map {
                ProviderName(of: $0.name).wire
            })
        for provider in ProviderName.listed { external[provider] = .bool(enabled.contains(provider)) }
        external["email"] = .bool(signUp.emailEnabled)
        external["phone"] = .bool(signUp.phoneEnabled)
        external["zoom"] = false
        return Answer.object([
            "external": .object(external), "disable_signup": .bool(!signUp.enabled),
            "mailer_autoconfirm": .bool(signUp.emailAutoConfirm), "phone_autoconfirm": .bool(signUp.phoneAutoConfirm),
            "sms_provider": "", "saml_enabled": false, "saml_private_key_next_configured": false,
            "passkeys_enabled": .bool(call.flow.settings.passkeys.enabled),
        ])
    }

    /// `GET /health`
    static func health(_ call: DialectCall) async throws -> Response {
        Answer.object([
            "version": "latchkey", "name": "GoTrue",
            "description": "Latchkey, an identity server that speaks this platform's protocol",
        ])
    }

    /// `GET /.well-known/jwks.json`: the public keys, those about to sign and those about to retire among them.
    static func keys(_ call: DialectCall) async throws -> Response {
        let set = try await call.dialect.keys.publishedKeys(of: call.directory, at: call.now)
        var response = Answer.object(set.publicObject)
        response.headers[.cacheControl] = "public, max-age=600"
        return response
    }
}
