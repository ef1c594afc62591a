// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `/v1/admin/*`: for users in one of the administrators' groups (C-4), within their own Directory.
extension AppAPI {
    static let adminPaths: [(HTTPRequest.Method, String)] = [
        (.get, "/v1/admin/users"), (.get, "/v1/admin/users/{id}"), (.get, "/v1/admin/users/{id}/sessions"),
        (.delete, "/v1/admin/users/{id}/sessions"), (.get, "/v1/admin/groups"), (.get, "/v1/admin/audit"),
    ]

    func addAdminRoutes(to router: Router<LatchkeyRequestContext>) {
        let admin = administrative(router, "/v1/admin")
        admin.get("users") { request, context in
            let call = try administrator(request, context)
            let query = try PageQuery(try RequestReading.query(of: request))
            let page = try await accounts.userAdministration.page(
                after: query.position.map { UserID($0) }, limit: query.limit, call: call)
            return Self.answer([
                "users": .array(page.users.map { .object(AdminDocuments.user($0, at: call.now)) }),
                "nextCursor": PageQuery.cursor(page.hasMore ? page.users.last?.id.rawValue : nil),
            ])
        }
        admin.get("users/{id}") { request, context in
            let call = try administrator(request, context)
            let record = try await accounts.userAdministration.get(try Self.user(context), call: call)
            let groups = try await accounts.groupAdministration.groups(of: record.user.id, call: call)
            var json = AdminDocuments.user(record.user, at: call.now)
            json["providers"] = .array(record.identities.map { .string($0.provider) })
            json["groups"] = .array(groups.map { .string($0.name) })
            return Self.answer(json)
        }
        admin.get("users/{id}/sessions") { request, context in
            let call = try administrator(request, context)
            let sessions = try await accounts.sessionAdministration.list(of: try Self.user(context), call: call)
            return Self.answer(["sessions": .array(sessions.map { .object(AdminDocuments.session($0)) })])
        }
        admin.delete("users/{id}/sessions") { request, context in
            let call = try administrator(request, context)
            let count = try await accounts.sessionAdministration.endAll(of: try Self.user(context), call: call)
            return Self.answer(["ended": .integer(Int64(count))])
        }
        admin.get("groups") { request, context in
            let call = try administrator(request, context)
            let groups = try await accounts.groupAdministration.list(call: call)
            return Self.answer(["groups": .array(groups.map { .object(AdminDocuments.group($0)) })])
        }
        admin.get("audit") { request, context in
            let call = try administrator(request, context)
            let query = try RequestReading.query(of: request)
            let paging = try PageQuery(query, others: ["action", "user"])
            guard let offset = paging.position.map({ Int($0) }) ?? 0 else {
                throw AuthError(.invalidRequest, field: "cursor")
            }
            let page = try await accounts.auditLog.page(
                action: query["action"].map { AuditEvent.Action(rawValue: $0) },
                user: query["user"].map { UserID($0) }, offset: offset, limit: paging.limit, call: call)
            return Self.answer([
                "events": .array(page.events.map { .object(AdminDocuments.event($0)) }),
                "nextCursor": PageQuery.cursor(page.hasMore ? String(offset + page.events.count) : nil),
            ])
        }
    }

    private func administrator(
        _ request: Request, _ context: AppRequestContext
    ) throws(AuthError) -> CallContext {
        try call(request, context, by: .administrator(try context.user().view.account.id.rawValue))
    }

    private static func user(_ context: AppRequestContext) throws(AuthError) -> UserID {
        guard let id = context.parameters.get("id"), id.utf8.count <= 128 else { throw AuthError(.userNotFound) }
        return UserID(id)
    }
}
