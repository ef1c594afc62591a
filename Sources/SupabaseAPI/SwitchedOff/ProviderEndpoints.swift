// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// Sign-in through other providers, none of which is switched on.
enum ProviderEndpoints {
    /// `GET /authorize?provider=…`
    static func authorize(_ call: DialectCall) async throws -> Response {
        let name = ProviderName(call.query["provider"] ?? "")
        let reason =
            switch name {
            case _ where name.isCustom: "custom OAuth providers are disabled"
            case _ where name.isKnown: "provider is not enabled"
            default: "Provider \(name.wire) could not be found"
            }
        throw WireError.validation("Unsupported provider: " + reason)
    }

    /// `GET` and `POST /callback`: nobody was sent to a provider, so whoever comes back from one is sent to the site.
    static func callback(_ call: DialectCall) async throws -> Response {
        let state = try call.query["state"] ?? call.body.text("state") ?? ""
        let (code, message) =
            switch state {
            case "": ("bad_oauth_callback", "OAuth state parameter missing")
            case _ where UUIDText.accepts(state): ("bad_oauth_state", "OAuth state not found or expired")
            default: ("bad_oauth_state", "OAuth state parameter is invalid")
            }
        let target = RedirectTarget(url: call.flow.settings.siteURL ?? call.flow.links.home(of: call.directory))
        return Answer.redirect(
            to: target.adding(query: [
                ("error", "invalid_request"), ("error_code", code), ("error_description", message),
            ]))
    }
}
