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
        for provider in federatedProviders { external[provider] = false }
        external["email"] = .bool(signUp.emailEnabled)
        external["phone"] = .bool(signUp.phoneEnabled)
        external["zoom"] = false
        return Answer.object([
            "external": .object(external), "disable_signup": .bool(!signUp.enabled),
            "mailer_autoconfirm": .bool(signUp.emailAutoConfirm), "phone_autoconfirm": .bool(signUp.phoneAutoConfirm),
            "sms_provider": "", "saml_enabled": false, "saml_private_key_next_configured": false,
            "passkeys_enabled": false,
        ])
    }

    static let federatedProviders = [
        "apple", "azure", "bitbucket", "discord", "facebook", "snapchat", "figma", "fly", "github", "gitlab", "google",
        "keycloak", "kakao", "linkedin", "linkedin_oidc", "notion", "spotify", "slack", "slack_oidc", "workos",
        "twitch", "twitter",
    ]

    /// `GET /.well-known/openid-configuration`: who issues tokens here, and where their keys are. The platform answers it
    /// whether or not its OAuth server, whose endpoints the document must name (OpenID Connect Discovery 1.0, section 3),
    /// is switched on.
    static func discovery(_ call: DialectCall) async throws -> Response {
        let issuer = call.dialect.issuer(of: call.directory)
        let base = call.dialect.baseURL(of: call.directory)
        var response = Answer.object([
            "issuer": .string(issuer), "authorization_endpoint": .string(base + "/oauth/authorize"),
            "token_endpoint": .string(base + "/oauth/token"),
            "jwks_uri": .string(base + "/.well-known/jwks.json"),
            "userinfo_endpoint": .string(base + "/oauth/userinfo"), "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token"], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256", "HS256", "ES256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
            "code_challenge_methods_supported": ["S256"],
            "scopes_supported": ["openid", "profile", "email", "phone", "offline_access"],
        ])
        response.headers[.cacheControl] = "public, max-age=600"
        return response
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
