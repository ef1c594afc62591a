// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `GET /user/identities/authorize` and `DELETE /user/identities/{id}`: what a signed-in user is known by.
enum LinkEndpoints {
    /// The parameter of `/authorize` that a browser brings a ``LinkTicket`` in.
    static let ticket = "link_ticket"

    /// The app is told where to send the browser, which sends no bearer token along.
    static func authorize(_ call: DialectCall) async throws -> Response {
        try requireManualLinking(call)
        let authenticated = try call.user()
        let provider = try await call.provider(named: ProviderName(call.query["provider"] ?? ""))
        // Refused here, where the app is told so, and not where the browser is.
        _ = try ProviderRequest(call.query, at: provider, of: call)
        var request = JSONObject()
        for (name, value) in call.query.sorted(by: { $0.key < $1.key }) where name != ticket {
            request[name] = .string(value)
        }
        let text = try await call.accounts.linkTicket.issue(
            request, to: authenticated, lifetime: .seconds(call.flow.settings.federation.flowLifetime), call: call.flow)
        let url = RedirectTarget(url: call.dialect.baseURL(of: call.directory) + "/authorize")
            .adding(query: [(ticket, text)])
        guard call.query["skip_http_redirect"] == "true" else { return Answer.found(at: url) }
        return Answer.object(["url": .string(url)])
    }

    /// The browser, on its way to the provider.
    static func follow(_ text: String, _ call: DialectCall) async throws -> Response {
        try requireManualLinking(call)
        let (user, request) = try await call.accounts.linkTicket.redeem(text, call: call.flow)
        var query: [String: String] = [:]
        for member in request.members { query[member.name] = member.value.stringValue }
        let provider = try await call.provider(named: ProviderName(query["provider"] ?? ""))
        var linking = call
        linking.flow.actor = .user(user.user.id)
        return try await ProviderEndpoints.send(
            ProviderRequest(query, at: provider, of: call), linksTo: user, linking)
    }

    static func delete(_ call: DialectCall) async throws -> Response {
        try requireManualLinking(call)
        let authenticated = try call.user()
        let id = call.partID ?? ""
        guard UUIDText.accepts(id) else {
            throw WireError(.notFound, "validation_failed", "identity_id must be an UUID")
        }
        let shown = ShownIdentities(authenticated.identities, of: authenticated.user)
        guard shown.all.count > 1 else { throw AuthError(.lastWayIn) }
        do {
            _ = try await call.accounts.unlinkIdentity(IdentityID(id.lowercased()), of: authenticated, call: call.flow)
        } catch let error as AuthError where error.code == .identityNotFound {
            throw WireError(.unprocessableContent, "identity_not_found", "Identity doesn't exist")
        } catch let error as AuthError where error.code == .unsupported {
            throw WireError(
                .unprocessableContent, "email_conflict_identity_not_deletable",
                "An email address or a phone number is changed, and not unlinked")
        }
        return Answer.object([:])
    }

    private static func requireManualLinking(_ call: DialectCall) throws(WireError) {
        guard call.flow.settings.federation.manualLinking else {
            throw WireError(.notFound, "manual_linking_disabled", "Manual linking is disabled")
        }
    }
}
