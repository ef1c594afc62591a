// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What one account alone may have in a Directory, in the form in which it is compared.
struct OwnName: Hashable {
    /// Where it stands, as errors name it.
    let field: String
    private let texts: [String]

    private init(_ field: String, _ texts: String...) {
        self.field = field
        self.texts = texts
    }

    /// Those of an account that comes.
    static func all(of account: BroughtAccount) -> [OwnName] {
        let user = account.user
        var names: [OwnName] = []
        if let email = user.email, !user.sharesEmail { names.append(OwnName("email", email.rawValue)) }
        if let phone = user.phone, !user.sharesPhone { names.append(OwnName("phone", phone.digits)) }
        if let username = user.username { names.append(OwnName("username", username.key)) }
        // One that follows from the user's address or number can be had twice by that user alone.
        for identity in account.identities
        where account.identities.count > 1 || identity.subject != user.id.rawValue {
            names.append(OwnName("identities", identity.provider, identity.subject))
        }
        for factor in account.factors {
            if case .webAuthn(let credential) = factor.credential {
                names.append(OwnName("factors", Hex.encode(credential.id)))
            }
            // A user's own factors are told apart by their names.
            if account.factors.count > 1, let name = factor.name {
                names.append(OwnName("factors", user.id.rawValue, name))
            }
        }
        return names
    }
}
