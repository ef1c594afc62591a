// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// What only operators may ask for, and is not here to be had.
enum OperatorsOnly {
    /// `setProjectConfig` of the API before: a project is configured by `v2/projects/{project}/config`.
    static func setProjectConfig(_ call: DialectCall) async throws -> Response {
        guard call.isAdministrator else { throw WireError.unauthenticated }
        throw WireError("OPERATION_NOT_ALLOWED", "Projects are configured by v2/projects/{project}/config.")
    }

    /// `signOutUser` of the API before: sessions end by `validSince`.
    static func signOutUser(_ call: DialectCall) async throws -> Response {
        guard call.isAdministrator else { throw WireError.unauthenticated }
        throw WireError("OPERATION_NOT_ALLOWED", "Users are signed out by accounts:update with validSince.")
    }

    /// `identityPlatform:initializeAuth`: every project has it.
    static func initialize(_: DialectCall) async throws -> Response {
        throw WireError("INVALID_PROJECT_ID", "Identity Platform has already been enabled for this project.")
    }

    /// `tenants/{tenant}:getIamPolicy`, `:setIamPolicy`, `:testIamPermissions`: rights here are the scopes of keys, so
    /// no caller has those that are asked about.
    static func tenantPolicy(_ call: DialectCall) async throws -> Response {
        let verbs = [":getIamPolicy", ":setIamPolicy", ":testIamPermissions"]
        guard let name = call.tenant, verbs.contains(where: name.hasSuffix) else { throw AuthError(.notFound) }
        throw AuthError(.forbidden)
    }
}
