// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import HummingbirdTokenAuth
import ServerKit

/// `/v1/admin/*`: for users in one of the administrators' groups (C-4), within their own Directory.
extension AppAPI {
    static let adminPaths: [(HTTPRequest.Method, String)] = [
        (.get, "/v1/admin/users"), (.get, "/v1/admin/users/{id}"), (.get, "/v1/admin/users/{id}/sessions"),
        (.delete, "/v1/admin/users/{id}/sessions"), (.get, "/v1/admin/groups"), (.get, "/v1/admin/audit"),
    ]

    func addAdminRoutes(to router: Router<LatchkeyRequestContext>) {
        router.get("/v1/admin/users") { request, context in
            let call = try await administrator(request, context)
            let query = try PageQuery(try RequestReading.query(of: request))
            let page = try await UserAdministration(ports).page(
                after: query.position.map { UserID($0) }, limit: query.limit, call: call)
            return Self.answer([
                "users": .array(page.users.map { .object(AdminDocuments.user($0, at: call.now)) }),
                "nextCursor": PageQuery.cursor(page.hasMore ? page.users.last?.id.rawValue : nil),
            ])
        }
        router.get("/v1/admin/users/{id}") { request, context in
            let call = try await administrator(request, context)
            let record = try await UserAdministration(ports).get(try Self.user(context), call: call)
            let groups = try await GroupAdministration(ports).groups(of: record.user.id, call: call)
            var json = AdminDocuments.user(record.user, at: call.now)
            json["providers"] = .array(record.identities.map { .string($0.provider) })
            json["groups"] = .array(groups.map { .string($0.name) })
            return Self.answer(json)
        }
        router.get("/v1/admin/users/{id}/sessions") { request, context in
            let call = try await administrator(request, context)
            let sessions = try await SessionAdministration(ports).list(of: try Self.user(context), call: call)
            return Self.answer(["sessions": .array(sessions.map { .object(AdminDocuments.session($0)) })])
        }
        router.delete("/v1/admin/users/{id}/sessions") { request, context in
            let call = try await administrator(request, context)
            let count = try await SessionAdministration(ports).endAll(of: try Self.user(context), call: call)
            return Self.answer(["ended": .integer(Int64(count))])
        }
        router.get("/v1/admin/groups") { request, context in
            let call = try await administrator(request, context)
            let groups = try await GroupAdministration(ports).list(call: call)
            return Self.answer(["groups": .array(groups.map { .object(AdminDocuments.group($0)) })])
        }
        router.get("/v1/admin/audit") { request, context in
            let call = try await administrator(request, context)
            let query = try RequestReading.query(of: request)
            let paging = try PageQuery(query, others: ["action", "user"])
            guard let offset = paging.position.map({ Int($0) }) ?? 0 else {
                throw AuthError(.invalidRequest, field: "cursor")
            }
            let page = try await AuditLog(ports).page(
                action: query["action"].map { AuditEvent.Action(rawValue: $0) },
                user: query["user"].map { UserID($0) }, offset: offset, limit: paging.limit, call: call)
            return Self.answer([
                "events": .array(page.events.map { .object(AdminDocuments.event($0)) }),
                "nextCursor": PageQuery.cursor(page.hasMore ? String(offset + page.events.count) : nil),
            ])
        }
    }

    /// Who asks, when they may. The groups are those of the store now, not those of when the token was made: whoever
    /// is taken out of the group is out with the next request.
    ///
    /// - Throws: as ``BearerAuthentication``; ``AuthErrorCode/forbidden`` for everybody else.
    private func administrator(_ request: Request, _ context: LatchkeyRequestContext) async throws -> CallContext {
        let signedIn = try await signedIn(request, context)
        let user = signedIn.view.account.id
        let groups = try await ports.store.read { try $0.groups(of: user, in: signedIn.directory.id) }
        let identity = TokenIdentity.member(signedIn.token, of: Set(groups.map(\.name)))
        guard administrators.shortfall(of: identity) == nil else {
            throw AuthError(.forbidden, reason: "not in a group of administrators")
        }
        var call = call(request, context, signedIn)
        call.actor = .administrator(user.rawValue)
        return call
    }

    private static func user(_ context: LatchkeyRequestContext) throws(AuthError) -> UserID {
        guard let id = context.parameters.get("id"), id.utf8.count <= 128 else { throw AuthError(.userNotFound) }
        return UserID(id)
    }
}
