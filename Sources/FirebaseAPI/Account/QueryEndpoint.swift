// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `POST …/accounts:query`: users by what they are known by, or all of them in the order in which they were made.
enum QueryEndpoint {
    private static let maximum: Int64 = 500
    /// What is looked up in one call.
    private static let mostExpressions = 100
    private static let fields = [
        "SORT_BY_FIELD_UNSPECIFIED", "USER_ID", "NAME", "CREATED_AT", "LAST_LOGIN_AT", "USER_EMAIL",
    ]

    static func post(_ call: DialectCall) async throws -> Response {
        let field = try call.body.enumeration("sortBy", fields) ?? fields[0]
        guard field == fields[0] || field == "CREATED_AT" else {
            throw invalid("sortBy must be CREATED_AT.")
        }
        let order = try call.body.enumeration("order", ["ORDER_UNSPECIFIED", "ASC", "DESC"])
        let limit = try call.body.number("limit") ?? maximum
        let offset = try call.body.number("offset") ?? 0
        guard (1...maximum).contains(limit) else { throw invalid("limit must be from 1 to \(maximum).") }
        guard offset >= 0, offset <= Int64(UserAdministration.maximumPage) - limit else {
            throw invalid("offset and limit must be \(UserAdministration.maximumPage) together at most.")
        }
        let expressions = try call.body.objects("expression")
        guard expressions.count <= mostExpressions else { throw invalid("Too many expressions.") }
        let (records, count) =
            expressions.isEmpty
            ? try await all(offset: Int(offset), limit: Int(limit), oldestFirst: order != "DESC", call)
            : try await found(by: expressions, offset: Int(offset), limit: Int(limit), call)
        var json: JSONObject = ["recordsCount": .string(String(count))]
        if try call.body.flag("returnUserInfo") ?? true, !records.isEmpty {
            json["userInfo"] = .array(try await UserInfo.encode(records, call).map { .object($0) })
        }
        return Answer.object(json)
    }

    private static func all(
        offset: Int, limit: Int, oldestFirst: Bool, _ call: DialectCall
    ) async throws -> ([UserRecord], Int) {
        try await call.accounts.userAdministration.list(
            from: offset, limit: limit, oldestFirst: oldestFirst, call: call.flow)
    }

    /// Users whom any of the expressions names; of one with several members, whom all of them do.
    private static func found(
        by expressions: [Input], offset: Int, limit: Int, _ call: DialectCall
    ) async throws -> ([UserRecord], Int) {
        var seen: Set<UserID> = []
        var records: [UserRecord] = []
        for expression in expressions {
            var named: [SignInIdentifier?] = []
            if let id = try expression.given("userId") { named.append(.user(UserID(id))) }
            if let email = try expression.given("email") { named.append((try? EmailAddress(email)).map { .email($0) }) }
            if let phone = try expression.given("phoneNumber") {
                named.append((try? PhoneNumber(phone)).map { .phone($0) })
            }
            guard !named.isEmpty else { throw invalid("An expression names userId, email or phoneNumber.") }
            var matches: [UserRecord?] = []
            for identifier in named {
                guard let identifier else { matches.append(nil); continue }
                matches.append(try await call.accounts.userAdministration.find(identifier, call: call.flow))
            }
            guard case let record?? = matches.first, record.user.deletedAt == nil,
                matches.allSatisfy({ $0?.user.id == record.user.id }), seen.insert(record.user.id).inserted
            else { continue }
            records.append(record)
        }
        return (Array(records.dropFirst(offset).prefix(limit)), records.count)
    }

    private static func invalid(_ message: String) -> WireError {
        WireError(.badRequest, message, reason: "badRequest", statusName: "INVALID_ARGUMENT")
    }
}
