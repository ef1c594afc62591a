// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird

/// One operation of this API. Its description is at `/openapi.json`, which needs nobody signed in.
struct Route: Sendable {
    /// Who may use an operation.
    enum Access: Sendable, Hashable {
        /// A signed-in user.
        case user
        /// A member of one of the administrators' groups (C-4), within their own Directory, or a program whose API key
        /// may administer users (C-6), within the key's.
        case administrator
        /// The same, for what registers the apps that users sign in to, and for the pages on which they do.
        case clientAdministrator

        /// What a program's key needs; `nil` for what no program may.
        var scope: String? {
            switch self {
            case .user: nil
            case .administrator: APIKey.userScope
            case .clientAdministrator: APIKey.clientScope
            }
        }
    }

    let method: HTTPRequest.Method
    let path: String
    let access: Access
    let endpoint: @Sendable (AppCall) async throws -> Response

    init(
        _ method: HTTPRequest.Method, _ path: String, _ access: Access,
        _ endpoint: @escaping @Sendable (AppCall) async throws -> Response
    ) {
        self.method = method
        self.path = path
        self.access = access
        self.endpoint = endpoint
    }

    static let all: [Route] = [
        Route(.get, "/v1/me", .user, MeEndpoint.get),
        Route(.get, "/v1/activities", .user, ActivitiesEndpoint.get),
        Route(.post, "/v1/users/register", .user, RegisterEndpoint.post),
        Route(.post, "/v1/account/export", .user, ExportEndpoint.post),
        Route(.get, "/v1/sessions", .user, SessionEndpoints.list),
        Route(.delete, "/v1/sessions", .user, SessionEndpoints.endOthers),
        Route(.delete, "/v1/sessions/{id}", .user, SessionEndpoints.end),
        Route(.get, "/v1/account/deletion", .user, DeletionEndpoints.explain),
        Route(.delete, "/v1/account", .user, DeletionEndpoints.delete),
        Route(.get, "/v1/account/factor-recovery", .user, FactorRecoveryEndpoints.get),
        Route(.post, "/v1/account/factor-recovery", .user, FactorRecoveryEndpoints.post),
        Route(.get, "/v1/account/consents", .user, ConsentEndpoints.get),
        Route(.patch, "/v1/account/consents", .user, ConsentEndpoints.update),
        Route(.get, "/v1/account/consents/history", .user, ConsentEndpoints.history),

        Route(.get, "/v1/admin/users", .administrator, AdminEndpoints.users),
        Route(.get, "/v1/admin/users/{id}", .administrator, AdminEndpoints.user),
        Route(.get, "/v1/admin/users/{id}/sessions", .administrator, AdminEndpoints.sessions),
        Route(.delete, "/v1/admin/users/{id}/sessions", .administrator, AdminEndpoints.endSessions),
        Route(.get, "/v1/admin/users/{id}/consents", .administrator, ConsentEndpoints.administered),
        Route(.get, "/v1/admin/groups", .administrator, AdminEndpoints.groups),
        Route(.get, "/v1/admin/audit", .administrator, AdminEndpoints.audit),
        Route(.get, "/v1/admin/lockouts", .administrator, LockoutEndpoints.list),
        Route(.delete, "/v1/admin/lockouts/{id}", .administrator, LockoutEndpoints.lift),

        Route(.get, "/v1/admin/message-templates", .clientAdministrator, MessageTemplateEndpoints.list),
        Route(.get, "/v1/admin/message-templates/{id}", .clientAdministrator, MessageTemplateEndpoints.get),
        Route(.put, "/v1/admin/message-templates/{id}", .clientAdministrator, MessageTemplateEndpoints.put),
        Route(.delete, "/v1/admin/message-templates/{id}", .clientAdministrator, MessageTemplateEndpoints.delete),
        Route(.get, "/v1/admin/terms", .clientAdministrator, TermsEndpoints.all),
        Route(.post, "/v1/admin/terms", .clientAdministrator, TermsEndpoints.publish),
        Route(.patch, "/v1/admin/terms/{name}/{version}", .clientAdministrator, TermsEndpoints.demand),
        Route(.delete, "/v1/admin/terms/{name}/{version}", .clientAdministrator, TermsEndpoints.withdraw),
        Route(.get, "/v1/admin/pages", .clientAdministrator, PagesEndpoints.get),
        Route(.patch, "/v1/admin/pages", .clientAdministrator, PagesEndpoints.update),
        Route(
            .get, "/v1/admin/registration-tokens", .clientAdministrator, RegistrationTokenEndpoints.list),
        Route(
            .post, "/v1/admin/registration-tokens", .clientAdministrator, RegistrationTokenEndpoints.create),
        Route(
            .delete, "/v1/admin/registration-tokens/{id}", .clientAdministrator, RegistrationTokenEndpoints.revoke),
        Route(.get, "/v1/admin/identity-providers", .clientAdministrator, IdentityProviderEndpoints.list),
        Route(.post, "/v1/admin/identity-providers", .clientAdministrator, IdentityProviderEndpoints.create),
        Route(.get, "/v1/admin/identity-providers/{id}", .clientAdministrator, IdentityProviderEndpoints.get),
        Route(.patch, "/v1/admin/identity-providers/{id}", .clientAdministrator, IdentityProviderEndpoints.update),
        Route(.delete, "/v1/admin/identity-providers/{id}", .clientAdministrator, IdentityProviderEndpoints.delete),
        Route(.get, "/v1/admin/clients", .clientAdministrator, ClientEndpoints.list),
        Route(.post, "/v1/admin/clients", .clientAdministrator, ClientEndpoints.create),
        Route(.get, "/v1/admin/clients/{id}", .clientAdministrator, ClientEndpoints.get),
        Route(.patch, "/v1/admin/clients/{id}", .clientAdministrator, ClientEndpoints.update),
        Route(.delete, "/v1/admin/clients/{id}", .clientAdministrator, ClientEndpoints.delete),
        Route(.post, "/v1/admin/clients/{id}/secrets", .clientAdministrator, ClientEndpoints.addSecret),
        Route(.post, "/v1/admin/clients/{id}/secrets/rotate", .clientAdministrator, ClientEndpoints.rotateSecret),
        Route(.delete, "/v1/admin/clients/{id}/secrets/{secret}", .clientAdministrator, ClientEndpoints.removeSecret),
    ]
}
