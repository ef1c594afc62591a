// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a row holds of an identity's subject and data. Most identities follow from their user's own address or number:
/// the user is their subject, and the first thing that their data say. The row says both once, by its `user_id`.
struct IdentityWords {
    /// Stands for the user's identifier. No provider calls anybody so.
    static let own = ""
    private static let subjectMember = "sub"

    let subject: String
    let data: JSONObject

    init(_ identity: Identity) {
        // Octet by octet: what only looks the same is kept as it is.
        func isUser(_ text: String?) -> Bool { text?.utf8.elementsEqual(identity.userID.rawValue.utf8) ?? false }
        let first = identity.data.members.first
        guard Identity.localProviders.contains(identity.provider), isUser(identity.subject),
            first?.name == Self.subjectMember, isUser(first?.value.stringValue)
        else {
            subject = identity.subject
            data = identity.data
            return
        }
        subject = Self.own
        var rest = identity.data
        rest[Self.subjectMember] = nil
        data = rest
    }

    /// What was left out, in the place where it was.
    static func completed(_ data: JSONObject, of user: UserID) -> JSONObject {
        var whole: JSONObject = [subjectMember: .string(user.rawValue)]
        for member in data.members { whole[member.name] = member.value }
        return whole
    }
}
