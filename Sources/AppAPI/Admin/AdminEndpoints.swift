// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// `/v1/admin/*`: for users in one of the administrators' groups (C-4), within their own Directory.
enum AdminEndpoints {
    static func users(_ call: AppCall) async throws -> Response {
        let query = try PageQuery(try RequestReading.query(of: call.request))
        let page = try await call.accounts.userAdministration.page(
            after: query.position.map { UserID($0) }, limit: query.limit, call: call.flow)
        return AppAPI.answer([
            "users": .array(page.users.map { .object(AdminDocuments.user($0, at: call.now)) }),
            "nextCursor": PageQuery.cursor(page.hasMore ? page.users.last?.id.rawValue : nil),
        ])
    }

    static func user(_ call: AppCall) async throws -> Response {
        let record = try await call.accounts.userAdministration.get(try userID(call), call: call.flow)
        let groups = try await call.accounts.groupAdministration.groups(of: record.user.id, call: call.flow)
        var json = AdminDocuments.user(record.user, at: call.now)
        json["providers"] = .array(record.identities.map { .string($0.provider) })
        json["groups"] = .array(groups.map { .string($0.name) })
        return AppAPI.answer(json)
    }

    static func sessions(_ call: AppCall) async throws -> Response {
        let sessions = try await call.accounts.sessionAdministration.list(of: try userID(call), call: call.flow)
        return AppAPI.answer(["sessions": .array(sessions.map { .object(AdminDocuments.session($0)) })])
    }

    static func endSessions(_ call: AppCall) async throws -> Response {
        let count = try await call.accounts.sessionAdministration.endAll(of: try userID(call), call: call.flow)
        return AppAPI.answer(["ended": .integer(Int64(count))])
    }

    static func groups(_ call: AppCall) async throws -> Response {
        let groups = try await call.accounts.groupAdministration.list(call: call.flow)
        return AppAPI.answer(["groups": .array(groups.map { .object(AdminDocuments.group($0)) })])
    }

    static func audit(_ call: AppCall) async throws -> Response {
        let query = try RequestReading.query(of: call.request)
        let paging = try PageQuery(query, others: ["action", "user"])
        let place = try paging.position.map(Self.place)
        let page = try await call.accounts.auditLog.page(
            action: query["action"].map { AuditEvent.Action(rawValue: $0) },
            user: query["user"].map { UserID($0) }, after: place, limit: paging.limit, call: call.flow)
        return AppAPI.answer([
            "events": .array(page.events.map { .object(AdminDocuments.event($0)) }),
            "nextCursor": PageQuery.cursor(page.hasMore ? page.events.last.map(Self.cursor) : nil),
        ])
    }

    /// The time of an event, in microseconds since 1970, and its identifier.
    private static func cursor(after event: AuditEvent) -> String { "\(event.at.microseconds).\(event.id.rawValue)" }

    private static func place(in cursor: String) throws(AuthError) -> AuditPlace {
        let parts = cursor.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let time = Int64(parts[0]) else { throw AuthError(.invalidRequest, field: "cursor") }
        return AuditPlace(at: Instant(microseconds: time), id: AuditEventID(String(parts[1])))
    }

    private static func userID(_ call: AppCall) throws(AuthError) -> UserID {
        guard let id = call.id, id.utf8.count <= 128 else { throw AuthError(.userNotFound) }
        return UserID(id)
    }
}
