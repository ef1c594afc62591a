// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `accounts:lookup`: the user of an ID token; for an administrator, users by identifier, address or number.
enum LookupEndpoint {
    private static let maximum = 100

    static func post(_ call: DialectCall) async throws -> Response {
        let records: [UserRecord]
        var call = call
        if call.isAdministrator {
            records = try await find(call)
        } else {
            let (user, inner) = try await call.signedIn()
            records = [UserRecord(user: user.user, identities: user.identities)]
            call = inner
        }
        var json = Kind.lookup.object
        // Left out where it would be empty: some SDKs look no further than whether it is there.
        if !records.isEmpty {
            json["users"] = .array(try await UserInfo.encode(records, call).map { .object($0) })
        }
        return Answer.object(json)
    }

    private static func find(_ call: DialectCall) async throws -> [UserRecord] {
        var wanted: [SignInIdentifier] = try call.body.texts("localId").map { .user(UserID($0)) }
        wanted += (try call.body.texts("email") + call.body.texts("initialEmail"))
            .compactMap { try? EmailAddress($0) }.map { .email($0) }
        wanted += try call.body.texts("phoneNumber").compactMap { try? PhoneNumber($0) }.map { .phone($0) }
        let federated = try call.body.objects("federatedUserId")
        guard wanted.count + federated.count <= maximum else { throw AuthError(.invalidRequest) }
        var records: [UserRecord] = []
        let users = call.accounts.userAdministration
        for identifier in wanted {
            if let record = try await users.find(identifier, call: call.flow) { records.append(record) }
        }
        for entry in federated {
            guard let provider = try entry.given("providerId"), let subject = try entry.given("rawId") else { continue }
            if let record = try await owner(of: provider, subject, call) { records.append(record) }
        }
        var seen: Set<UserID> = []
        return records.filter { $0.user.deletedAt == nil && seen.insert($0.user.id).inserted }
    }

    private static func owner(
        of provider: String, _ subject: String, _ call: DialectCall
    ) async throws -> UserRecord? {
        switch provider {
        case "password":
            guard let email = try? EmailAddress(subject) else { return nil }
            return try await call.accounts.userAdministration.find(.email(email), call: call.flow)
        case "phone":
            guard let phone = try? PhoneNumber(subject) else { return nil }
            return try await call.accounts.userAdministration.find(.phone(phone), call: call.flow)
        default:
            return try await call.accounts.userAdministration.find(
                provider: ProviderID(provider).name, subject: subject, call: call.flow)
        }
    }
}
