// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `ListUsers`
enum ListUsersEndpoint {
    static func post(_ call: DialectCall) async throws -> JSONObject {
        let text = try call.input.text(.filter) ?? ""
        let filter = try UserFilterText(text, of: call.pool).filter
        let names = try call.input.texts("AttributesToGet")
        for name in names ?? [] where name != UserIdentities.name && call.pool.attribute(name) == nil {
            throw WireError.parameter("Attribute \(Input.excerpt(name)) is not in the schema of the user pool.")
        }
        let page = try Page(
            call.input, of: ["users", call.directory.id.rawValue, text], limit: "Limit", token: .paginationToken)
        let found = try await call.accounts.userAdministration.list(
            matching: filter, after: page.after.map { UserPosition($0) }, limit: page.size, call: call.flow)
        var json: JSONObject = [
            "Users": .array(
                found.records.map { .object(UserWire.encode($0, attributes: names, call)) })
        ]
        // A page may be empty although others follow: the service's clients go by the token.
        json["PaginationToken"] = found.next.map { page.next(after: $0.text) }
        return json
    }
}
