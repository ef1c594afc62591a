// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// A pool as the operations show it.
enum PoolWire {
    /// `UserPoolType`.
    static func encode(
        _ directory: Directory, users: Int, domains: [DirectoryDomain], dialect: CognitoDialect
    ) -> JSONObject {
        let pool = PoolSettings(directory.settings)
        let id = dialect.poolID(of: directory)
        var json = summary(directory, dialect: dialect)
        PoolPolicies.show(directory.settings, of: pool, in: &json)
        json["DeletionProtection"] = .string(pool.isProtected ? "ACTIVE" : "INACTIVE")
        json["SchemaAttributes"] = .array(pool.attributes.map { .object($0.json) })
        json["AutoVerifiedAttributes"] = list(pool.autoVerified)
        json["AliasAttributes"] = list(pool.aliasAttributes)
        json["UsernameAttributes"] = list(pool.usernameAttributes)
        json["VerificationMessageTemplate"] = ["DefaultEmailOption": "CONFIRM_WITH_CODE"]
        json["MfaConfiguration"] = .string(PoolMFA.mode(of: directory.settings))
        json["DeviceConfiguration"] = PoolDevices.json(of: directory.settings).map { .object($0) }
        json["EstimatedNumberOfUsers"] = .integer(Int64(users))
        json["EmailConfiguration"] = ["EmailSendingAccount": "COGNITO_DEFAULT"]
        json["UserPoolTags"] = [:]
        json["UsernameConfiguration"] = ["CaseSensitive": .bool(pool.isCaseSensitive)]
        for domain in domains { json[domain.kind == .prefix ? "Domain" : "CustomDomain"] = .string(domain.name) }
        // The cloud's own name of a resource. There is no account here, so it is the one that nobody has.
        json["Arn"] = .string("arn:aws:cognito-idp:\(dialect.settings.region):000000000000:userpool/\(id)")
        return json.merging(pool.shown)
    }

    /// `UserPoolDescriptionType`.
    static func summary(_ directory: Directory, dialect: CognitoDialect) -> JSONObject {
        [
            "Id": .string(dialect.poolID(of: directory)), "Name": .string(directory.settings.title ?? directory.name),
            "LambdaConfig": PoolSettings(directory.settings).shown["LambdaConfig"] ?? [:],
            "LastModifiedDate": directory.updatedAt.wireDate,
            "CreationDate": directory.createdAt.wireDate,
        ]
    }

    private static func list(_ texts: [String]) -> JSONValue? {
        texts.isEmpty ? nil : .array(texts.map { .string($0) })
    }
}
