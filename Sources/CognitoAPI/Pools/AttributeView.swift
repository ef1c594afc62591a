// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// By whose rules a user's attributes are read: the pool's, and those of the client whose answer or token shows them.
struct AttributeView: Sendable {
    let pool: PoolSettings
    /// `nil` where an administrator reads.
    let client: Client?

    /// What other dialects call the user by, where it may stand for an attribute that nobody wrote here: only if users
    /// may write that attribute themselves, so that no other dialect is a way around the pool's schema or the client's
    /// `WriteAttributes`, and if it is a value that they could write.
    func standIn(for field: SharedField, of user: User) -> String? {
        guard let text = user.shared(field), let attribute = pool.attribute(field.rawValue), attribute.isMutable,
            client?.settings.attributeNames("WriteAttributes")?.contains(field.rawValue) ?? true,
            text.unicodeScalars.count <= AttributeChanges.valueLimit, (try? attribute.check(text)) != nil
        else { return nil }
        return text
    }
}

extension DialectCall {
    var attributeView: AttributeView { AttributeView(pool: pool, client: flow.client) }
}
