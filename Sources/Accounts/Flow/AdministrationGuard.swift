// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension CallContext {
    /// The second lock on administrative flows, behind the dialect's own check: a user never is an administrator here,
    /// whatever a dialect forgot.
    ///
    /// - Throws: `AuthErrorCode.forbidden`.
    func requireAdministrator() throws(AuthError) {
        switch actor {
        case .administrator, .commandLine: break
        case .user, .unknown: throw AuthError(.forbidden, reason: "not an administrator")
        }
    }
}

extension AuthError {
    /// What a unique value that is taken means to whoever asked for it.
    init(taken conflict: StoreConflict) {
        switch conflict {
        case .duplicate("user.email"): self.init(.emailExists, field: "email")
        case .duplicate("user.phone"): self.init(.phoneExists, field: "phone")
        case .duplicate("user.username"): self.init(.usernameExists, field: "username")
        case .duplicate("factor.name"): self.init(.factorNameExists, field: "name")
        case .duplicate("factor.credential"): self.init(.factorExists, field: "credential")
        case .duplicate("client.id"): self.init(.conflict, reason: "the identifier is taken", field: "client_id")
        case .duplicate("domain.name"): self.init(.conflict, reason: "the name is taken", field: "domain")
        case .duplicate("domain.kind"): self.init(.conflict, reason: "there is a domain already", field: "kind")
        case .duplicate("user.id"): self.init(.conflict, reason: "the identifier is taken", field: "id")
        case .duplicate("user.external_identifiers"):
            self.init(.conflict, reason: "the identifier is taken", field: "external_identifiers")
        case .duplicate(let name), .stale(let name): self.init(.conflict, reason: name)
        }
    }
}
