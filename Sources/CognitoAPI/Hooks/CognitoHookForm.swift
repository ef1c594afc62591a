// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// This vendor's triggers ("Customizing user pool workflows with Lambda triggers", Amazon Cognito developer guide), posted as the
/// events that a function would be invoked with, and answered as it would return them.
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
        var request = JSONObject()
        var name = ""
        if let subject = question.subject {
            request["userAttributes"] = .object(attributes(of: subject, question.call))
            name = UserWire.username(of: subject.user)
        }
        var response = JSONObject()
        switch question.matter {
        case .signUp:
            request["validationData"] = Self.notes(question.call.notes.validation)
            request["clientMetadata"] = Self.notes(question.call.notes.metadata)
            response = ["autoConfirmUser": false, "autoVerifyEmail": false, "autoVerifyPhone": false]
        case .signIn:
            request["validationData"] = Self.notes(question.call.notes.validation)
            request["userNotFound"] = false
        case .token(_, let session, let groups, _, _):
            request["groupConfiguration"] = .object(Self.configuration(of: groups))
            request["clientMetadata"] = Self.notes(question.call.notes.metadata)
            if isSecond {
                request["scopes"] = .array((session.grant?.scopes ?? [HostedScope.account]).map { .string($0) })
                response["claimsAndScopeOverrideDetails"] = .null
            } else {
                response["claimsOverrideDetails"] = .null
            }
        case .confirmed: request["clientMetadata"] = Self.notes(question.call.notes.metadata)
        case .signedIn(_, let isOnNewDevice):
            request["newDeviceUsed"] = .bool(isOnNewDevice)
            request["clientMetadata"] = Self.notes(question.call.notes.metadata)
        case .wording(let letter, let subject, let isText):
            guard let message = CustomMessage(letter, of: subject.user, isText: isText) else { return nil }
            request = request.merging(message.request)
            request["clientMetadata"] = .null
            response = CustomMessage.response
        case .migration(let identifier, let password):
            name = UserMigration.name(identifier)
            request["password"] = password.map { .string($0.reveal()) } ?? .null
            request["validationData"] = Self.notes(question.call.notes.validation)
            request["clientMetadata"] = Self.notes(question.call.notes.metadata)
            response = UserMigration.response
        case .challengeDefinition(let challenge):
            fill(&request, of: challenge, &name, question.call)
            request["session"] = AuthChallenge.session(challenge.answered)
            response = AuthChallenge.defined
        case .challengeCreation(let challenge, let kind):
            fill(&request, of: challenge, &name, question.call)
            request["challengeName"] = .string(kind)
            request["session"] = AuthChallenge.session(challenge.answered)
            response = AuthChallenge.created
        case .challengeAnswer(let challenge, let kept, let answer):
            fill(&request, of: challenge, &name, question.call)
            request["privateChallengeParameters"] = .object(kept)
            request["challengeAnswer"] = .string(answer.reveal())
            response = AuthChallenge.verified
        case .passwordAttempt, .factorAttempt, .mail, .text, .created: return nil
        }
        let event: JSONObject = [
            "version": isSecond ? "2" : "1", "triggerSource": .string(Self.source(of: question)),
            "region": .string(dialect.region), "userPoolId": .string(dialect.poolID(of: question.call.directory)),
            "userName": .string(name),
            "callerContext": [
                "awsSdkVersion": "aws-sdk-unknown-unknown",
                "clientId": .string(question.call.client?.id.rawValue ?? "CLIENT_ID_NOT_APPLICABLE"),
            ], "request": .object(request), "response": .object(response),
        ]
        return event.serialized()
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
