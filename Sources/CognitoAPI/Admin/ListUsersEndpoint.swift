// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `ListUsers`
enum ListUsersEndpoint {
    static func post(_ call: DialectCall) async throws -> JSONObject {
        let filter = try UserFilterText(try call.input.text(.filter) ?? "", of: call.pool).filter
        let names = try call.input.texts("AttributesToGet")
        for name in names ?? [] where call.pool.attribute(name) == nil {
            throw WireError.parameter("Attribute \(Input.excerpt(name)) is not in the schema of the user pool.")
        }
        let page = try Page(call.input, limit: "Limit", token: .paginationToken)
        let records = try await call.accounts.userAdministration.list(
            matching: filter, after: page.after.map { UserID($0) }, limit: page.size + 1, call: call.flow)
        var json: JSONObject = [
            "Users": .array(
                records.prefix(page.size).map {
                    .object(UserWire.encode($0.user, attributes: names, call))
                })
        ]
        json["PaginationToken"] = page.next(after: records.map(\.user.id.rawValue))
        return json
    }
}
