// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Factors

extension CallContext {
    /// For whom public key credentials are made and used: what the operator says, and else the site and our own pages.
    /// Nothing of it is ever from a request.
    ///
    /// - Throws: ``AuthErrorCode/factorDisabled`` where nothing says which domain it is.
    func relyingParty() throws(AuthError) -> RelyingParty {
        let own = [settings.siteURL ?? "", links.home(of: directory)].compactMap { WebOrigin($0) }
        guard let id = settings.passkeys.relyingPartyID ?? own.first?.host else {
            throw AuthError(
                .factorDisabled, reason: "neither directory.passkeys.rpId nor directory.siteUrl is set",
                field: Factor.Kind.webAuthn.rawValue)
        }
        let origins = settings.passkeys.origins.isEmpty ? own.map(\.text) : settings.passkeys.origins
        return RelyingParty(id: id, origins: origins + (client?.settings.passkeyOrigins ?? []))
    }
}

extension UserVerification {
    init(_ setting: DirectorySettings.UserVerification) {
        switch setting {
        case .required: self = .required
        case .preferred: self = .preferred
        case .discouraged: self = .discouraged
        }
    }
}
