// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// This vendor's triggers ("Customizing user pool workflows with Lambda triggers", Amazon Cognito developer guide),
/// posted as the events that a function would be invoked with, and answered as it would return them.
public struct CognitoHookForm: HookForm {
    public static let hooks: [String: HookMoment] = [
        "PreSignUp": .signUp, "PreAuthentication": .signIn, "PreTokenGeneration": .token,
        "PreTokenGeneration_V2": .token, "PostConfirmation": .confirmed, "PostAuthentication": .signedIn,
        "CustomMessage": .wording, "UserMigration": .migration, "DefineAuthChallenge": .challengeDefinition,
        "CreateAuthChallenge": .challengeCreation, "VerifyAuthChallengeResponse": .challengeAnswer,
    ]
    public static let timeout: Int64 = 5
    public static let needsSecrets = true

    private let dialect: CognitoDialect

    public init(_ dialect: CognitoDialect) {
        self.dialect = dialect
    }

    public func body(_ question: HookQuestion, hook: BlockingHook, id _: String) async throws -> [UInt8]? {
        let isSecond = hook.name == "PreTokenGeneration_V2"
        guard let parts = parts(of: question, isSecond: isSecond) else { return nil }
        let event: JSONObject = [
            "version": isSecond ? "2" : "1", "triggerSource": .string(Self.source(of: question)),
            "region": .string(dialect.region), "userPoolId": .string(dialect.poolID(of: question.call.directory)),
            "userName": .string(parts.name),
            "callerContext": [
                "awsSdkVersion": "aws-sdk-unknown-unknown",
                "clientId": .string(question.call.client?.id.rawValue ?? "CLIENT_ID_NOT_APPLICABLE"),
            ], "request": .object(parts.request), "response": .object(parts.response),
        ]
        return event.serialized()
    }

    /// What differs from trigger to trigger: whom it is about, what is asked, and what an answer that changes nothing
    /// has.
    private struct Parts {
        var name = ""
        var request = JSONObject()
        var response = JSONObject()
    }

    /// `nil` for what no trigger is asked about.
    private func parts(of question: HookQuestion, isSecond: Bool) -> Parts? {
        var parts = Parts()
        if let subject = question.subject {
            parts.request["userAttributes"] = .object(attributes(of: subject, question.call))
            parts.name = UserWire.username(of: subject.user)
        }
        switch question.matter {
        case .signUp:
            parts.request["validationData"] = Self.notes(question.call.notes.validation)
            parts.request["clientMetadata"] = Self.notes(question.call.notes.metadata)
            parts.response = ["autoConfirmUser": false, "autoVerifyEmail": false, "autoVerifyPhone": false]
        case .signIn:
            parts.request["validationData"] = Self.notes(question.call.notes.validation)
            parts.request["userNotFound"] = false
        case .token(_, let session, let groups, _, _):
            parts.request["groupConfiguration"] = .object(Self.configuration(of: groups))
            parts.request["clientMetadata"] = Self.notes(question.call.notes.metadata)
            if isSecond {
                parts.request["scopes"] = .array((session.grant?.scopes ?? [HostedScope.account]).map { .string($0) })
                parts.response["claimsAndScopeOverrideDetails"] = .null
            } else {
                parts.response["claimsOverrideDetails"] = .null
            }
        case .confirmed: parts.request["clientMetadata"] = Self.notes(question.call.notes.metadata)
        case .signedIn(_, let isOnNewDevice):
            parts.request["newDeviceUsed"] = .bool(isOnNewDevice)
            parts.request["clientMetadata"] = Self.notes(question.call.notes.metadata)
        case .wording(let letter, let subject, let isText):
            guard let message = CustomMessage(letter, of: subject.user, isText: isText) else { return nil }
            parts.request = parts.request.merging(message.request)
            parts.request["clientMetadata"] = .null
            parts.response = CustomMessage.response
        case .migration(let identifier, let password):
            parts.name = UserMigration.name(identifier)
            parts.request["password"] = password.map { .string($0.reveal()) } ?? .null
            parts.request["validationData"] = Self.notes(question.call.notes.validation)
            parts.request["clientMetadata"] = Self.notes(question.call.notes.metadata)
            parts.response = UserMigration.response
        case .challengeDefinition(let challenge):
            fill(&parts.request, of: challenge, &parts.name, question.call)
            parts.request["session"] = AuthChallenge.session(challenge.answered)
            parts.response = AuthChallenge.defined
        case .challengeCreation(let challenge, let kind):
            fill(&parts.request, of: challenge, &parts.name, question.call)
            parts.request["challengeName"] = .string(kind)
            parts.request["session"] = AuthChallenge.session(challenge.answered)
            parts.response = AuthChallenge.created
        case .challengeAnswer(let challenge, let kept, let answer):
            fill(&parts.request, of: challenge, &parts.name, question.call)
            parts.request["privateChallengeParameters"] = .object(kept)
            parts.request["challengeAnswer"] = .string(answer.reveal())
            parts.response = AuthChallenge.verified
        case .passwordAttempt, .factorAttempt, .mail, .text, .created: return nil
        }
        return parts
    }

    private static func notes(_ notes: JSONObject?) -> JSONValue { notes.map { .object($0) } ?? .null }

    /// What the triggers of challenges are told of whoever was named, be it nobody.
    private func fill(
        _ request: inout JSONObject, of challenge: CustomChallenge, _ name: inout String, _ call: CallContext
    ) {
        if challenge.subject == nil {
            name = UserMigration.name(challenge.identifier)
            request["userAttributes"] = [:]
        }
        request["userNotFound"] = .bool(challenge.subject == nil)
        request["clientMetadata"] = Self.notes(call.notes.metadata)
    }

    /// As the pool's own operations show them, and where the account stands.
    private func attributes(of subject: HookQuestion.Subject, _ call: CallContext) -> JSONObject {
        let view = AttributeView(pool: PoolSettings(call.settings), client: nil)
        var attributes = JSONObject()
        for (name, value) in UserAttributeList.pairs(subject.user, in: view) { attributes[name] = .string(value) }
        let status = UserStatus(subject.user)
        attributes["cognito:user_status"] = .string(status.rawValue)
        return attributes
    }

    private static func configuration(of groups: [Group]) -> JSONObject {
        let sorted = groups.sorted { ($0.precedence ?? .max, $0.name) < ($1.precedence ?? .max, $1.name) }
        let roles = sorted.compactMap(\.role)
        return [
            "groupsToOverride": .array(sorted.map { .string($0.name) }),
            "iamRolesToOverride": .array(roles.map { .string($0) }),
            "preferredRole": roles.first.map { .string($0) } ?? .null,
        ]
    }

    private static func source(of question: HookQuestion) -> String {
        switch question.matter {
        case .signUp(_, _, isInvited: true): "PreSignUp_AdminCreateUser"
        case .signUp(_, let provider, _):
            LocalProviders.names.contains(provider) ? "PreSignUp_SignUp" : "PreSignUp_ExternalProvider"
        case .signIn: "PreAuthentication_Authentication"
        case .token(_, _, _, _, let trigger):
            switch trigger {
            case .signIn, .stepUp: "TokenGeneration_Authentication"
            case .newPassword: "TokenGeneration_NewPasswordChallenge"
            case .refresh: "TokenGeneration_RefreshTokens"
            case .page: "TokenGeneration_HostedAuth"
            }
        case .confirmed(_, .signUp): "PostConfirmation_ConfirmSignUp"
        case .confirmed(_, .recovery): "PostConfirmation_ConfirmForgotPassword"
        case .signedIn: "PostAuthentication_Authentication"
        case .wording(let letter, let subject, let isText):
            CustomMessage(letter, of: subject.user, isText: isText)?.source ?? ""
        case .migration(_, let password):
            password == nil ? "UserMigration_ForgotPassword" : "UserMigration_Authentication"
        case .challengeDefinition: "DefineAuthChallenge_Authentication"
        case .challengeCreation: "CreateAuthChallenge_Authentication"
        case .challengeAnswer: "VerifyAuthChallengeResponse_Authentication"
        case .passwordAttempt, .factorAttempt, .mail, .text, .created: ""
        }
    }

    private enum LocalProviders {
        static let names: Set<String> = ["email", "phone", "anonymous"]
    }

    /// A refusal is what a function that fails is answered as: `{"errorMessage": …}`, with any status up to 499.
    public func answer(
        _ reply: HookReply, to question: HookQuestion, hook: BlockingHook
    ) throws(AuthError) -> HookAnswer {
        let object = try? JSONObject(parsing: reply.body)
        if let message = object?["errorMessage"]?.stringValue, reply.status < 500, reply.status >= 200,
            !(300..<400).contains(reply.status)
        {
            return .refusal(message)
        }
        guard (200..<300).contains(reply.status) else { throw HookFailure.status.error("status \(reply.status)") }
        guard let object, let response = object["response"]?.objectValue else {
            throw HookFailure.malformed.error("an event with its response is expected")
        }
        var changes = HookChanges()
        switch question.matter {
        case .signUp:
            changes.confirmsAccount = try Self.flag("autoConfirmUser", in: response)
            changes.provesEmail = try Self.flag("autoVerifyEmail", in: response)
            changes.provesPhone = try Self.flag("autoVerifyPhone", in: response)
        case .token(_, _, _, let claims, _):
            changes.claims = try TokenOverrides(response, isSecond: hook.name == "PreTokenGeneration_V2").apply(
                to: claims)
        case .wording(let letter, let subject, let isText):
            changes.letter = try CustomMessage(letter, of: subject.user, isText: isText)?.worded(response)
        case .migration(let identifier, _):
            changes.migrated = try UserMigration.user(
                response, for: identifier, in: PoolSettings(question.call.settings))
        case .challengeDefinition: changes.next = try AuthChallenge.next(response)
        case .challengeCreation: changes.challenge = try AuthChallenge.made(response)
        case .challengeAnswer: changes.isRight = try AuthChallenge.isRight(response)
        case .signIn, .passwordAttempt, .factorAttempt, .mail, .text, .created, .confirmed, .signedIn: break
        }
        return .allowed(changes)
    }

    private static func flag(_ name: String, in response: JSONObject) throws(AuthError) -> Bool {
        switch response[name] {
        case nil, .null: return false
        case .bool(let flag): return flag
        default: throw HookFailure.malformed.error("\(name): expected true or false")
        }
    }
}
