// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Members of `CreateUserPool` and `UpdateUserPool` that are kept and shown by `DescribeUserPool` and decide nothing
/// here: `docs/cognito.md` says so of each.
enum PoolMembers {
    /// - Throws: `InvalidParameterException`, `SerializationException` for another type.
    static func read(_ input: Input) throws(WireError) -> JSONObject {
        var members = JSONObject()
        for (name, shape) in shapes { members[name] = try shape.read(name, of: input) }
        return members
    }

    static let names = Set(shapes.map(\.0))

    private static let shapes: [(String, WireShape)] = [
        ("LambdaConfig", triggers),
        ("SmsVerificationMessage", .text(6...140, .code)), ("SmsAuthenticationMessage", .text(6...140, .code)),
        ("EmailVerificationMessage", .text(6...20_000, .code)), ("EmailVerificationSubject", .text(1...140)),
        (
            "VerificationMessageTemplate",
            .structure([
                "SmsMessage": .text(6...140, .code), "EmailMessage": .text(6...20_000, .code),
                "EmailSubject": .text(1...140), "EmailMessageByLink": .text(6...20_000, .link),
                "EmailSubjectByLink": .text(1...140),
                "DefaultEmailOption": .choice(["CONFIRM_WITH_LINK", "CONFIRM_WITH_CODE"]),
            ])
        ),
        (
            "UserAttributeUpdateSettings",
            .structure(["AttributesRequireVerificationBeforeUpdate": .list(.choice(PoolSettings.verifiable))])
        ),
        (
            "EmailConfiguration",
            .structure([
                "SourceArn": arn, "ReplyToEmailAddress": .text(3...320),
                "EmailSendingAccount": .choice(["COGNITO_DEFAULT", "DEVELOPER"]), "From": .text(0...131_072),
                "ConfigurationSet": .text(1...64),
            ])
        ),
        ("SmsConfiguration", textMessages),
        ("UserPoolTags", .map(keys: Member("UserPoolTags", 1...128), .text(0...256), 0...50)),
        (
            "UserPoolAddOns",
            .structure(
                [
                    "AdvancedSecurityMode": .choice(["OFF", "AUDIT", "ENFORCED"]),
                    "AdvancedSecurityAdditionalFlows": .structure(["CustomAuthMode": .choice(["AUDIT", "ENFORCED"])]),
                ], required: ["AdvancedSecurityMode"])
        ),
        (
            "AccountRecoverySetting",
            .structure([
                "RecoveryMechanisms": .list(
                    .structure(
                        [
                            "Priority": .integer(1...2),
                            "Name": .choice(["verified_email", "verified_phone_number", "admin_only"]),
                        ], required: ["Priority", "Name"]), 1...2)
            ])
        ),
        ("UserPoolTier", .choice(["LITE", "ESSENTIALS", "PLUS"])),
        (
            "KeyConfiguration",
            .structure(["KeyType": .choice(["AWS_OWNED_KEY", "CUSTOMER_MANAGED_KEY"]), "KmsKeyArn": arn])
        ),
        ("IssuerConfiguration", .structure(["Type": .choice(["ORIGINAL", "UPDATED"])])),
        (
            "DcrConfiguration",
            .structure([
                "EnableStatus": .choice(["Enabled", "Disabled"]), "OpenDcrEnabled": .flag,
                "AuthenticatedGrantTypes": .list(grant, 0...3), "OpenDcrGrantTypes": .list(grant, 0...3),
                "AllowedScopes": .list(.text(1...256, .visible), 0...50),
            ])
        ),
        (
            "AcrConfiguration",
            .map(
                keys: Member("AcrConfiguration", oneOf: ["Level1", "Level2", "Level3", "Level4"]),
                .structure(["AcrValue": .text(1...2048)], required: ["AcrValue"]), 0...4)
        ),
    ]

    /// `SmsMfaConfiguration` and `EmailMfaConfiguration`: the messages are the operator's.
    static let factorMessages = WireShape.structure([
        "SmsAuthenticationMessage": .text(6...140, .code), "SmsConfiguration": textMessages,
    ])
    static let factorMail = WireShape.structure(["Message": .text(6...20_000, .code), "Subject": .text(1...140)])

    /// What invites a user whom an administrator makes.
    static let invitation = WireShape.structure([
        "SMSMessage": .text(6...140), "EmailMessage": .text(6...20_000), "EmailSubject": .text(1...140),
    ])

    static let firstFactors = WireShape.structure([
        "AllowedFirstAuthFactors": .list(
            .choice(["PASSWORD", "EMAIL_OTP", "SMS_OTP", "WEB_AUTHN", "SOFTWARE_TOKEN"]), 1...5)
    ])

    private static let triggers = WireShape.structure([
        "PreSignUp": arn, "CustomMessage": arn, "PostConfirmation": arn, "PreAuthentication": arn,
        "PostAuthentication": arn, "DefineAuthChallenge": arn, "CreateAuthChallenge": arn,
        "VerifyAuthChallengeResponse": arn, "PreTokenGeneration": arn, "UserMigration": arn, "KMSKeyID": arn,
        "PreTokenGenerationConfig": function(versions: ["V1_0", "V2_0", "V3_0"]),
        "CustomSMSSender": function(versions: ["V1_0"]), "CustomEmailSender": function(versions: ["V1_0"]),
        "InboundFederation": function(versions: ["V1_0"]),
    ])

    private static let textMessages = WireShape.structure([
        "SnsCallerArn": arn, "ExternalId": .text(0...131_072), "SnsRegion": .text(5...32),
        "EumsSms": .structure(
            [
                "CallerArn": arn, "ExternalId": .text(0...131_072), "OriginationIdentity": .text(0...131_072),
                "ConfigurationSetName": .text(0...131_072), "InEntityId": .text(0...131_072),
                "InTemplateId": .text(0...131_072), "Region": .text(5...32),
            ], required: ["CallerArn"]),
    ])

    static let arn = WireShape.text(20...2048, .resourceName)
    private static let grant = WireShape.choice(["code", "implicit", "client_credentials"])

    private static func function(versions: [String]) -> WireShape {
        .structure(["LambdaVersion": .choice(versions), "LambdaArn": arn], required: ["LambdaVersion", "LambdaArn"])
    }
}

extension Member.Pattern {
    /// A message with the place of its code.
    fileprivate static let code = Self(text: ".*\\{####\\}.*", accepts: { _ in true }) { $0.contains("{####}") }
    /// A message with the place of its link, whose text stands between the marks.
    fileprivate static let link = Self(text: ".*\\{##.*##\\}.*", accepts: { _ in true }) { text in
        guard let begin = text.firstRange(of: "{##") else { return false }
        return text[begin.upperBound...].contains("##}")
    }
    /// The cloud's own name of a resource, of another service as a rule.
    fileprivate static let resourceName = Self(
        text: "arn:[\\w+=/,.@-]+:[\\w+=/,.@-]+:([\\w+=/,.@-]*)?:[0-9]+:[\\w+=/,.@-]+(:[\\w+=/,.@-]+)?(:[\\w+=/,.@-]+)?",
        accepts: { isWord($0) || "+=/,.@-:".unicodeScalars.contains($0) },
        acceptsWhole: { text in
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            return (6...8).contains(parts.count) && parts[0] == "arn"
                && parts.indices.allSatisfy { $0 == 3 || !parts[$0].isEmpty }
                && parts[4].utf8.allSatisfy { (48...57).contains($0) }
        })
}
