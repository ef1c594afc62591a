// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// A user as the administrative operations show them.
enum UserWire {
    /// What the service calls a user: their user name, or their identifier where they have none.
    static func username(of user: User) -> String { user.username?.rawValue ?? user.sub }

    /// The texts by which clients name the user when they prove their secret.
    static func names(of user: User) -> [String] {
        [user.id.rawValue, user.sub, user.username?.rawValue, user.email?.rawValue, user.phone?.e164].compactMap(\.self)
    }

    /// The `UserType` of lists and of `AdminCreateUser`.
    static func encode(_ record: UserRecord, attributes: [String]? = nil, _ call: DialectCall) -> JSONObject {
        var json = frame(record.user, at: call.now)
        json["Attributes"] = UserAttributeList.encode(record, in: call.attributeView, only: attributes)
        return json
    }

    /// The output of `AdminGetUser`, which calls the attributes otherwise.
    static func described(_ record: UserRecord, _ call: DialectCall) -> JSONObject {
        var json = frame(record.user, at: call.now)
        json["UserAttributes"] = UserAttributeList.encode(record, in: call.attributeView)
        return json
    }

    private static func frame(_ user: User, at now: Instant) -> JSONObject {
        [
            "Username": .string(username(of: user)), "UserCreateDate": user.createdAt.wireDate,
            "UserLastModifiedDate": user.updatedAt.wireDate, "Enabled": .bool(!user.isBanned(at: now)),
            "UserStatus": .string(UserStatus(user).rawValue),
        ]
    }
}

extension User {
    /// The service's own name for a user, which they keep whatever else they are called.
    var sub: String { identifier(in: CognitoDialect.name) }
}
