// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Testing

@testable import CognitoAPI

/// Which fault of a call is said first, and in which words. Clients and people's test suites match on both. The
/// exceptions are those of the operation in the service's own model; the texts are those that public clients know.
@Suite("What is said of each fault") struct FaultTableTests {
    /// A call with these faults, and what is said of the first.
    struct Fault: Sendable, CustomStringConvertible {
        var operation: String
        var members: JSONObject
        var said: String

        init(_ operation: String, _ members: JSONObject, _ said: String) {
            (self.operation, self.members, self.said) = (operation, members, said)
        }

        var description: String { "\(operation) \(members.text): \(said)" }
    }

    private static func null(_ member: String) -> String {
        "InvalidParameterException: 1 validation error detected: Value null at '\(member)' failed to satisfy "
            + "constraint: Member must not be null"
    }

    private static let noClient = "ResourceNotFoundException: User pool client nobody does not exist."
    private static let noPool = "ResourceNotFoundException: User pool us-east-1_nobody does not exist."
    private static let combination = "UserNotFoundException: Username/client id combination not found."
    private static let noUser = "UserNotFoundException: User does not exist."
    private static let wrongCode =
        "CodeMismatchException: Invalid verification code provided, please try again."
    private static let badToken = "NotAuthorizedException: Invalid Access Token"
    private static let weak = "InvalidPasswordException: Password did not conform with policy: Password not long enough"
    private static let unwritable =
        "NotAuthorizedException: A client attempted to write unauthorized attribute"
    private static let secretMissing =
        "NotAuthorizedException: Client $secret is configured with secret but SECRET_HASH was not received"
    private static let secretWrong = "NotAuthorizedException: Unable to verify secret hash for client $secret"
    private static let password: JSONObject = ["Password": "Correct-horse-7-battery"]

    private static func attribute(_ name: String, _ value: String) -> JSONObject {
        ["UserAttributes": [["Name": .string(name), "Value": .string(value)]]]
    }

    /// `$client` is told who there is, `$hiding` is not, `$secret` has a secret, `$pool` is their pool and `$token` is
    /// ada's; ada is confirmed, bob is not, dan is disabled.
    static let faults: [Fault] = ofEveryClientCall + ofSignUps + ofRecoveries + ofUsers + ofAdministrators

    private static func client(_ members: JSONObject, _ client: String = "$client") -> JSONObject {
        members.merging(["ClientId": .string(client)])
    }

    private static let ofEveryClientCall: [Fault] = [
        "SignUp", "ConfirmSignUp", "ResendConfirmationCode", "ForgotPassword", "ConfirmForgotPassword",
    ].flatMap { operation -> [Fault] in
        var whole: JSONObject = ["Username": "ada"]
        if operation.hasPrefix("Confirm") { whole["ConfirmationCode"] = "123456" }
        if operation == "SignUp" || operation == "ConfirmForgotPassword" { whole["Password"] = "short" }
        let blank =
            "InvalidParameterException: 1 validation error detected: Value at 'username' failed to satisfy constraint: "
            + "Member must satisfy regular expression pattern: [\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}]+"
        var faults: [Fault] = []
        faults.append(Fault(operation, [:], null("clientId")))
        faults.append(Fault(operation, client([:], "nobody"), noClient))
        faults.append(Fault(operation, client(whole, "nobody"), noClient))
        faults.append(Fault(operation, client([:]), null("username")))
        faults.append(Fault(operation, client(["Username": "ada"], "$secret"), secretMissing))
        faults.append(Fault(operation, client(whole.merging(["SecretHash": "wrong"]), "$secret"), secretWrong))
        faults.append(Fault(operation, client(["Username": "a b"]), blank))
        faults.append(
            Fault(
                operation, ["ClientId": 7, "Username": "ada"],
                "SerializationException: ClientId can not be converted to a String"))
        return faults
    }

    /// A weak password is said before the name it comes with, and a taken name before what its account is.
    private static let ofSignUps: [Fault] = [
        Fault("SignUp", client(["Username": "ada", "Password": "short"]), weak),
        Fault(
            "SignUp", client(mail("ada").merging(password).merging(["Username": "ada"])),
            "UsernameExistsException: User already exists"),
        Fault(
            "SignUp", client(mail("bob").merging(password).merging(["Username": "bob"])),
            "UsernameExistsException: User already exists"),
        Fault("SignUp", client(newcomer("nonsense", "x")), unknownAttribute),
        Fault("SignUp", client(newcomer("email_verified", "true")), unwritable),
        Fault("SignUp", client(newcomer("email", "x@")), "InvalidParameterException: Invalid email address format."),
        Fault(
            "SignUp", client(newcomer("phone_number", "0301")),
            "InvalidParameterException: Invalid phone number format."),
        Fault("ConfirmSignUp", client(["Username": "bob"]), null("confirmationCode")),
        Fault("ConfirmSignUp", client(["Username": "x", "ConfirmationCode": "1"]), combination),
        Fault("ConfirmSignUp", client(["Username": "bob", "ConfirmationCode": "1"]), wrongCode),
        Fault(
            "ConfirmSignUp", client(["Username": "ada", "ConfirmationCode": "1"]),
            "NotAuthorizedException: User cannot be confirmed. Current status is CONFIRMED"),
        Fault("ConfirmSignUp", client(["Username": "x", "ConfirmationCode": "1"], "$hiding"), wrongCode),
        Fault("ConfirmSignUp", client(["Username": "ada", "ConfirmationCode": "1"], "$hiding"), wrongCode),
        Fault("ResendConfirmationCode", client(["Username": "x"]), combination),
        Fault(
            "ResendConfirmationCode", client(["Username": "ada"]),
            "InvalidParameterException: User is already confirmed."),
    ]

    private static let ofRecoveries: [Fault] = [
        Fault("ForgotPassword", client(["Username": "x"]), combination),
        Fault("ForgotPassword", client(["Username": "dan"]), "NotAuthorizedException: User is disabled."),
        Fault(
            "ForgotPassword", client(["Username": "bob"]),
            "InvalidParameterException: Cannot reset password for the user as there is no registered/verified email or "
                + "phone_number"),
        Fault(
            "ConfirmForgotPassword", client(["Username": "ada", "ConfirmationCode": "1", "Password": "short"]), weak),
        Fault("ConfirmForgotPassword", client(recovery("ada")), wrongCode),
        Fault("ConfirmForgotPassword", client(recovery("x")), combination),
        Fault("ConfirmForgotPassword", client(recovery("x"), "$hiding"), wrongCode),
    ]

    private static let ofUsers: [Fault] =
        [
            "GetUser", "UpdateUserAttributes", "DeleteUserAttributes", "GetUserAttributeVerificationCode",
            "VerifyUserAttribute", "ChangePassword", "DeleteUser",
        ].flatMap { [Fault($0, [:], null("accessToken")), Fault($0, ["AccessToken": "a.b.c"], badToken)] }
        + [
            Fault("UpdateUserAttributes", user([:]), null("userAttributes")),
            Fault("UpdateUserAttributes", user(attribute("nonsense", "x")), unknownAttribute),
            Fault("UpdateUserAttributes", user(attribute("email_verified", "true")), unwritable),
            Fault("DeleteUserAttributes", user([:]), null("userAttributeNames")),
            Fault("GetUserAttributeVerificationCode", user([:]), null("attributeName")),
            Fault("VerifyUserAttribute", user([:]), null("attributeName")),
            Fault("VerifyUserAttribute", user(["AttributeName": "email"]), null("code")),
            Fault("ChangePassword", user([:]), null("proposedPassword")),
            Fault("ChangePassword", user(["PreviousPassword": "Wrong-horse-7", "ProposedPassword": "short"]), weak),
            Fault(
                "ChangePassword",
                user(["PreviousPassword": "Wrong-horse-7", "ProposedPassword": "Another-horse-8-battery"]),
                "NotAuthorizedException: Incorrect username or password."),
        ]

    private static let ofAdministrators: [Fault] =
        [
            "AdminGetUser", "AdminSetUserPassword", "AdminConfirmSignUp", "AdminUpdateUserAttributes",
            "AdminDeleteUserAttributes", "AdminDisableUser", "AdminEnableUser", "AdminUserGlobalSignOut",
            "AdminDeleteUser",
        ].flatMap { operation -> [Fault] in
            let whole = newcomer("name", "x").merging(["UserAttributeNames": ["name"]])
            return [
                Fault(operation, [:], null("userPoolId")),
                Fault(operation, ["UserPoolId": "us-east-1_nobody"], noPool),
                Fault(operation, whole.merging(["UserPoolId": "us-east-1_nobody"]), noPool),
                Fault(operation, pool([:]), null("username")),
                Fault(operation, pool(whole), noUser),
            ]
        } + [
            Fault("AdminCreateUser", pool([:]), null("username")),
            Fault(
                "AdminCreateUser", pool(["Username": "ada", "MessageAction": "SUPPRESS"]),
                "UsernameExistsException: User account already exists"),
            Fault("AdminCreateUser", pool(["Username": "x", "MessageAction": "RESEND"]), noUser),
            Fault(
                "AdminCreateUser", pool(["Username": "x", "MessageAction": "LATER"]),
                "InvalidParameterException: 1 validation error detected: Value 'LATER' at 'messageAction' failed to "
                    + "satisfy constraint: Member must satisfy enum value set: [RESEND, SUPPRESS]"),
            Fault("AdminSetUserPassword", pool(["Username": "ada", "Password": "short"]), weak),
            Fault(
                "AdminConfirmSignUp", pool(["Username": "ada"]),
                "NotAuthorizedException: User cannot be confirmed. Current status is CONFIRMED"),
            Fault(
                "ListUsers", pool(["Filter": "username = foo"]),
                "InvalidParameterException: Error while parsing filter"),
            Fault(
                "ListUsers", pool(["Filter": #"custom:foo = "bar""#]),
                "InvalidParameterException: Invalid search attribute: custom:foo"),
            Fault(
                "ListUsers", pool(["Limit": 61]),
                "InvalidParameterException: 1 validation error detected: Value '61' at 'limit' failed to satisfy "
                    + "constraint: Member must have value less than or equal to 60"),
        ]

    private static let unknownAttribute =
        "InvalidParameterException: Attributes did not conform to the schema: nonsense: Attribute does not exist in the "
        + "schema.\n"

    private static func newcomer(_ name: String, _ value: String) -> JSONObject {
        attribute(name, value).merging(password).merging(["Username": "x"])
    }

    private static func recovery(_ name: String) -> JSONObject {
        password.merging(["Username": .string(name), "ConfirmationCode": "1"])
    }

    private static func user(_ members: JSONObject) -> JSONObject { members.merging(["AccessToken": "$token"]) }
    private static func pool(_ members: JSONObject) -> JSONObject { members.merging(["UserPoolId": "$pool"]) }

    private static func mail(_ name: String) -> JSONObject { attribute("email", name + "@else.example") }

    @Test("R10.4 the first fault is said, in the words that clients know")
    func said() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool()
        let client = try await bench.clientID(["PreventUserExistenceErrors": "LEGACY"], pool: pool)
        let hiding = try await bench.clientID(pool: pool)
        let secret = try await bench.makeClient(["GenerateSecret": true], pool: pool)["ClientId"]?.stringValue ?? ""
        let subject = try await bench.signedUp("ada", email: "ada@example.com", client: client, pool: pool)["UserSub"]
        try await bench.signedUp("dan", email: "dan@example.com", client: client, pool: pool)
        _ = try await bench.done("AdminDisableUser", ["UserPoolId": .string(pool), "Username": "dan"])
        _ = try await bench.done(
            "SignUp",
            Self.attribute("email", "bob@example.com").merging(Self.password)
                .merging(["ClientId": .string(client), "Username": "bob"]))
        let token = try await bench.accessToken(of: subject?.stringValue ?? "", client: client, pool: pool)
        let standIns = ["$client": client, "$hiding": hiding, "$secret": secret, "$pool": pool, "$token": token]
        for (number, fault) in Self.faults.enumerated() {
            var body = fault.members
            for member in body.members {
                if let text = member.value.stringValue, let real = standIns[text] { body[member.name] = .string(real) }
            }
            let isSigned = fault.operation.hasPrefix("Admin") || fault.operation == "ListUsers"
            // Each from elsewhere, so that no limit is met.
            let reply = try await bench.send(
                fault.operation, body, signed: isSigned, from: "203.0.\(number).7")
            #expect(reply.status == 400, "\(fault)")
            #expect(reply.refusal == fault.said.replacing("$secret", with: secret), "\(fault)")
            #expect(reply.headers[.amazonErrorType] == (reply.exception ?? "") + ":", "\(fault)")
        }
    }
}
