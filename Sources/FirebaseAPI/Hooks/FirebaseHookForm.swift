// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE

/// This vendor's blocking functions ("Extend Firebase Authentication with blocking functions", Firebase documentation):
/// a token that the project's key signs, for the function's own URL, and an answer that lists what it changes.
public struct FirebaseHookForm: HookForm {
    public static let hooks: [String: HookMoment] = ["beforeCreate": .signUp, "beforeSignIn": .signIn]
    public static let timeout: Int64 = 7
    /// The token has a signature of its own.
    public static let needsSecrets = false

    private static let lifetime: Int64 = 3600
    private static let jsonLimits = JSONLimits(depth: 16, members: 1024, bytes: HookReply.limit)

    private let keys: KeyRing

    public init(_ keys: KeyRing) {
        self.keys = keys
    }

    public func body(_ question: HookQuestion, hook: BlockingHook, id: String) async throws -> [UInt8]? {
        guard let subject = question.subject else { return nil }
        let (call, directory) = (question.call, question.call.directory)
        let method: String
        switch question.matter {
        // Who is nobody yet, or whom an operator vouches for, is asked about by no function there.
        case .signUp(_, "anonymous", _), .signUp(_, _, isInvited: true): return nil
        case .signUp(_, let provider, _): method = Self.method(of: provider)
        case .signIn(_, let methods):
            guard !methods.contains(where: { $0.name == .anonymous || $0.name == .assertion }) else { return nil }
            method = Self.method(of: methods, subject)
        default: return nil
        }
        var claims: JSONObject = [
            "iss": .string(FirebaseDialect.issuerPrefix + directory.projectID), "aud": .string(hook.url),
            "iat": .integer(call.now.seconds), "exp": .integer(call.now.seconds + Self.lifetime),
            "event_id": .string(id), "event_type": .string(hook.name), "sign_in_method": .string(method),
            "user_record": .object(Self.record(of: subject, in: directory, at: call.now)),
            "sub": .string(subject.user.localID),
        ]
        claims["ip_address"] = call.device.truncatedAddress.map { .string($0) }
        claims["user_agent"] = call.device.userAgent.map { .string($0) }
        claims["locale"] = .string(call.language.rawValue)
        claims["tenant_id"] = directory.tenantID.map { .string($0) }
        let key = try await keys.signingKey(.compatibility, of: directory, at: call.now)
        let token = try JWS.sign(claims.serialized(), type: "JWT", with: key)
        let data: JSONObject = ["data": ["jwt": .string(token)]]
        return data.serialized()
    }

    private static func method(of provider: String) -> String {
        switch provider {
        case "email": "password"
        case "phone": "phone"
        default: provider.contains(".") ? provider : provider + ".com"
        }
    }

    private static func method(of methods: [AuthenticationMethod], _ subject: HookQuestion.Subject) -> String {
        switch methods.first?.name {
        case .password?: "password"
        case .magicLink?, .emailConfirmation?: "emailLink"
        case .federated?:
            subject.identities.filter { !SignInProvider.isLocal($0) }
                .max { ($0.lastSignInAt ?? $0.createdAt) < ($1.lastSignInAt ?? $1.createdAt) }
                .map { ProviderID(of: $0).text } ?? "oidc"
        case .oneTimeCode?, .textMessage?: "phone"
        default: methods.first?.name.rawValue ?? "password"
        }
    }

    /// As the platform's functions read it, which is not quite how its API shows a user.
    private static func record(of subject: HookQuestion.Subject, in directory: Directory, at now: Instant) -> JSONObject
    {
        let user = subject.user
        let info = UserInfo.encode(UserRecord(user: user, identities: subject.identities), [], in: directory, at: now)
        var record: JSONObject = ["uid": .string(user.localID), "disabled": .bool(user.isBanned(at: now))]
        record["email"] = info["email"]
        record["email_verified"] = info["emailVerified"]
        record["display_name"] = info["displayName"]
        record["photo_url"] = info["photoUrl"]
        record["phone_number"] = info["phoneNumber"]
        record["tenant_id"] = info["tenantId"]
        let claims = CustomClaims(of: user).object
        if !claims.isEmpty { record["custom_claims"] = .object(claims) }
        var metadata: JSONObject = ["creation_time": .integer(user.createdAt.microseconds / 1000)]
        metadata["last_sign_in_time"] = user.lastSignInAt.map { .integer($0.microseconds / 1000) }
        record["metadata"] = .object(metadata)
        if let providers = info["providerUserInfo"]?.arrayValue {
            record["provider_data"] = .array(
                providers.compactMap(\.objectValue).map { provider in
                    var shown: JSONObject = ["provider_id": provider["providerId"] ?? .null]
                    shown["uid"] = provider["rawId"]
                    shown["email"] = provider["email"]
                    shown["display_name"] = provider["displayName"]
                    shown["photo_url"] = provider["photoUrl"]
                    shown["phone_number"] = provider["phoneNumber"]
                    return .object(shown)
                })
        }
        return record
    }

    public func answer(
        _ reply: HookReply, to question: HookQuestion, hook: BlockingHook
    ) throws(AuthError) -> HookAnswer {
        let object = try? JSONObject(parsing: reply.body, limits: Self.jsonLimits)
        switch reply.status {
        case 200..<300: break
        case 400..<500:
            guard let error = object?["error"]?.objectValue else {
                throw HookFailure.status.error("status \(reply.status)")
            }
            return .refusal(error["message"]?.stringValue ?? "", status: reply.status)
        default: throw HookFailure.status.error("status \(reply.status)")
        }
        // Nothing, or an object without a record, changes nothing.
        if reply.body.isEmpty { return .allowed(HookChanges()) }
        guard let object else { throw HookFailure.malformed.error("no JSON object") }
        guard let record = object["userRecord"]?.objectValue else { return .allowed(HookChanges()) }
        return .allowed(try RecordUpdate(record, at: question.moment).changes)
    }
}
