// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// This vendor's auth hooks over HTTP ("Auth Hooks", Supabase documentation), as its server sends and reads them.
public struct SupabaseHookForm: HookForm {
    public static let hooks: [String: HookMoment] = [
        "before-user-created": .signUp, "after-user-created": .created, "custom-access-token": .token,
        "password-verification-attempt": .passwordAttempt, "mfa-verification-attempt": .factorAttempt,
        "send-email": .mail, "send-sms": .text,
    ]
    public static let timeout: Int64 = 5
    public static let needsSecrets = true

    /// What a question calls itself, which is not always what the hook is called.
    private static let names: [String: String] = [
        "custom-access-token": "customize-access-token", "password-verification-attempt": "password-verification",
        "mfa-verification-attempt": "mfa-verification",
    ]

    public init() {}

    public func body(_ question: HookQuestion, hook: BlockingHook, id: String) async throws -> [UInt8]? {
        let call = question.call
        var metadata: JSONObject = [
            "uuid": .string(id), "time": .string(call.now.rfc3339), "name": .string(Self.names[hook.name] ?? hook.name),
        ]
        metadata["ip_address"] = call.device.truncatedAddress.map { .string($0) }
        var body: JSONObject = ["metadata": .object(metadata)]
        func user(_ subject: HookQuestion.Subject) -> JSONValue {
            .object(UserResponse.encode(subject.user, identities: subject.identities, in: call.directory))
        }
        func userID(_ subject: HookQuestion.Subject) -> JSONValue {
            .string(subject.user.identifier(in: SupabaseDialect.name))
        }
        switch question.matter {
        case .signUp(let subject, _, _), .created(let subject): body["user"] = user(subject)
        case .token(let subject, let session, _, let claims, _):
            body["user_id"] = userID(subject)
            body["claims"] = claims.first.map { .object($0) }
            body["authentication_method"] = .string(Self.method(of: session, question))
        case .passwordAttempt(let subject, let isRight):
            body["user_id"] = userID(subject)
            body["valid"] = .bool(isRight)
        case .factorAttempt(let subject, let factor, let kind, let isRight):
            body["user_id"] = userID(subject)
            body["factor_id"] = .string(factor.rawValue)
            body["factor_type"] = .string(kind.rawValue)
            body["valid"] = .bool(isRight)
        case .mail(let letter, let subject):
            body["user"] = subject.map(user) ?? ["email": .string(letter.recipient)]
            body["email_data"] = .object(HookMessage.emailData(letter, in: call.directory))
        case .text(let letter, let subject):
            body["user"] = subject.map(user) ?? ["phone": .string(letter.recipient)]
            body["sms"] = .object(HookMessage.sms(letter))
        case .signIn, .confirmed, .signedIn, .wording, .migration, .challengeDefinition, .challengeCreation,
            .challengeAnswer:
            return nil
        }
        return body.serialized()
    }

    /// The latest, and what a refresh is called.
    private static func method(of session: Session, _ question: HookQuestion) -> String {
        if case .token(_, _, _, _, .refresh) = question.matter { return "token_refresh" }
        return session.methods.max { $0.at < $1.at }?.name.rawValue ?? "password"
    }

    public func answer(
        _ reply: HookReply, to question: HookQuestion, hook: BlockingHook
    ) throws(AuthError) -> HookAnswer {
        let object = try Self.object(of: reply)
        // An error without a message is none there.
        if let error = object["error"]?.objectValue, let message = error["message"]?.stringValue, !message.isEmpty {
            let status = error["http_code"]?.integerValue.flatMap { Int(exactly: $0) }
            return .refusal(message, status: status)
        }
        switch question.matter {
        case .passwordAttempt:
            guard object["decision"]?.stringValue == "reject" else { return .allowed(HookChanges()) }
            return .refusal(
                Self.message(object) ?? "Further password verification attempts will be rejected.",
                endsSessions: object["should_logout_user"]?.boolValue ?? false)
        case .factorAttempt:
            guard object["decision"]?.stringValue == "reject" else { return .allowed(HookChanges()) }
            return .refusal(
                Self.message(object) ?? "Further MFA verification attempts will be rejected.", endsSessions: true)
        case .token(_, _, _, let claims, _):
            guard let shown = claims.first, let wanted = object["claims"]?.objectValue else {
                throw HookFailure.malformed.error("output claims field is missing")
            }
            var changes = HookChanges()
            changes.claims = [try CustomizedClaims(of: question.call.directory).judge(wanted, in: shown)]
            return .allowed(changes)
        case .signUp, .signIn, .mail, .text, .created, .confirmed, .signedIn, .wording, .migration,
            .challengeDefinition, .challengeCreation, .challengeAnswer:
            return .allowed(HookChanges())
        }
    }

    private static func message(_ object: JSONObject) -> String? {
        object["message"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func object(of reply: HookReply) throws(AuthError) -> JSONObject {
        switch reply.status {
        case 204: return [:]
        case 200, 202: break
        default: throw HookFailure.status.error("status \(reply.status)")
        }
        guard reply.type == "application/json" else { throw HookFailure.contentType.error("type of the answer") }
        guard let object = try? JSONObject(parsing: reply.body) else {
            throw HookFailure.malformed.error("no JSON object")
        }
        return object
    }
}
