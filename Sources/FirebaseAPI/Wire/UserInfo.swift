// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import ServerKit

/// The user object of this dialect. A member without a value is left out, and numbers of 64 bits are strings.
struct UserInfo {
    /// Stands for a hash that the caller may not see: base64 of `REDACTED`.
    static let redactedHash = "UkVEQUNURUQ="

    /// - Parameter factors: the user's second factors.
    static func encode(
        _ record: UserRecord, _ factors: [Factor], in directory: Directory, at now: Instant
    ) -> JSONObject {
        let user = record.user
        var json: JSONObject = ["localId": .string(user.localID)]
        json["email"] = user.email.map { .string($0.rawValue) }
        json["displayName"] = user.shared(.name).map { .string($0) }
        json["photoUrl"] = user.shared(.picture).map { .string($0) }
        json["phoneNumber"] = user.phone.map { .string($0.e164) }
        json["emailVerified"] = user.email.map { _ in .bool(user.emailVerifiedAt != nil) }
        json["passwordHash"] = user.passwordHash.map { _ in .string(redactedHash) }
        let providers = providers(of: record)
        if !providers.isEmpty { json["providerUserInfo"] = .array(providers.map { .object($0) }) }
        // Who has a password had no token before it.
        let since = user.tokensValidSince(at: now) ?? user.passwordChangedAt
        json["validSince"] = since.map { .string(String($0.seconds)) }
        // The one time of the platform's that is a number.
        json["passwordUpdatedAt"] = user.passwordChangedAt.map { .integer($0.microseconds / 1000) }
        if EmailLink.isUsed(by: record) { json["emailLinkSignin"] = true }
        if user.isBanned(at: now) { json["disabled"] = true }
        // No member of the platform's: nobody there has such users.
        if user.isDamaged { json["damaged"] = .array(user.damage.map { .string($0.column) }) }
        json["createdAt"] = milliseconds(user.createdAt)
        json["lastLoginAt"] = user.lastSignInAt.map(milliseconds)
        json["lastRefreshAt"] = user.lastSignInAt.map { .string($0.rfc3339Milliseconds) }
        let claims = CustomClaims(of: user).object
        if !claims.isEmpty { json["customAttributes"] = .string(claims.text) }
        json["tenantId"] = directory.tenantID.map { .string($0) }
        let enrolments = factors.filter(FactorInfo.isShown).map { JSONValue.object(FactorInfo.encode($0)) }
        if !enrolments.isEmpty { json["mfaInfo"] = .array(enrolments) }
        return json
    }

    /// The user objects of several, with one look at the store.
    static func encode(_ records: [UserRecord], _ call: DialectCall) async throws -> [JSONObject] {
        let factors = try await call.accounts.userFactors.list(of: records.map(\.user.id), call: call.flow)
        return await records.mapGivingWay { encode($0, factors[$0.user.id] ?? [], in: call.directory, at: call.now) }
    }

    /// Adds hash and salt as a list of users has them: empty for a hash that is of no use elsewhere, which ours are,
    /// and those of the platform's other algorithms there.
    static func show(hashOf user: User, in json: inout JSONObject) {
        guard user.passwordHash != nil else { return }
        let brought = user.broughtHash
        json["passwordHash"] = .string(brought.map { URLText.base64($0.hash) } ?? "")
        json["salt"] = .string(brought.map { URLText.base64($0.salt) } ?? "")
    }

    /// The ways in which the user can sign in.
    static func providers(of record: UserRecord) -> [JSONObject] {
        let user = record.user
        var providers: [JSONObject] = []
        if let email = user.email, user.passwordHash != nil || EmailLink.isUsed(by: record) {
            var entry: JSONObject = ["providerId": "password", "rawId": .string(email.rawValue)]
            entry["federatedId"] = .string(email.rawValue)
            entry["email"] = .string(email.rawValue)
            entry["displayName"] = user.shared(.name).map { .string($0) }
            entry["photoUrl"] = user.shared(.picture).map { .string($0) }
            providers.append(entry)
        }
        if let phone = user.phone {
            providers.append([
                "providerId": "phone", "rawId": .string(phone.e164), "phoneNumber": .string(phone.e164),
            ])
        }
        for identity in record.identities where !SignInProvider.isLocal(identity) {
            var entry: JSONObject = [
                "providerId": .string(ProviderID(of: identity).text), "rawId": .string(identity.subject),
                "federatedId": .string(identity.subject),
            ]
            entry["email"] = text(identity.data["email"])
            entry["displayName"] = text(identity.data["name"])
            entry["photoUrl"] = text(identity.data["picture"])
            providers.append(entry)
        }
        return providers
    }

    /// The answer to a change of the user.
    static func changed(_ record: UserRecord) -> JSONObject {
        let user = record.user
        var json = Kind.update.object
        json["localId"] = .string(user.localID)
        json["email"] = user.email.map { .string($0.rawValue) }
        json["displayName"] = user.shared(.name).map { .string($0) }
        json["photoUrl"] = user.shared(.picture).map { .string($0) }
        json["emailVerified"] = user.email.map { _ in .bool(user.emailVerifiedAt != nil) }
        json["passwordHash"] = user.passwordHash.map { _ in .string(redactedHash) }
        let providers = providers(of: record)
        if !providers.isEmpty { json["providerUserInfo"] = .array(providers.map { .object($0) }) }
        json["newEmail"] = user.pendingEmail.map { .string($0.rawValue) }
        return json
    }

    static func text(_ value: JSONValue?) -> JSONValue? {
        guard let text = value?.stringValue, !text.isEmpty else { return nil }
        return .string(text)
    }

    private static func milliseconds(_ instant: Instant) -> JSONValue {
        .string(String(instant.microseconds / 1000))
    }
}

extension User {
    /// What the platform calls a `localId`, and its SDKs a `uid`.
    var localID: String { identifier(in: FirebaseDialect.name) }
}

extension Instant {
    /// With a fraction of three digits, whatever they are: one of the platform's SDKs reads no other form.
    var rfc3339Milliseconds: String {
        let milliseconds = String((microseconds - seconds * 1_000_000) / 1000)
        let zeros = String(repeating: "0", count: max(0, 3 - milliseconds.utf8.count))
        return Instant(seconds: seconds).rfc3339.dropLast() + "." + zeros + milliseconds + "Z"
    }
}
