// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `POST /logout?scope=global|local|others`.
enum LogoutEndpoint {
    static func post(_ call: DialectCall) async throws -> Response {
        let scope: SignOutScope
        switch call.query["scope"] {
        case nil, "", "global": scope = .global
        case "local": scope = .local
        case "others": scope = .others
        case let other?: throw WireError.validation("Unsupported logout scope \"\(other)\"")
        }
        let authenticated = try call.user()
        if authenticated.isClient, scope != .local { throw CallerAuthentication.isClient }
        try await call.accounts.signOut(authenticated, scope: scope, call: call.flow)
        return Answer.empty
    }
}
