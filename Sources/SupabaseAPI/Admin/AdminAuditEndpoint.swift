// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `GET /admin/audit?page=&per_page=&query=action:login`
enum AdminAuditEndpoint {
    static func list(_ call: DialectCall) async throws -> Response {
        let page = try Page(call.query)
        let (action, user) = try await filter(call.query["query"], call)
        let (events, total) = try await call.accounts.auditLog.list(
            action: action, user: user, page: page.number, perPage: page.size, call: call.flow)
        let names = try await call.accounts.auditLog.identifiers(in: events, call: call.flow)
        var response = Answer.json(.array(events.map { .object(encode($0, names)) }))
        page.describe(total: total, of: call.path, in: &response)
        return response
    }

    private static func filter(
        _ query: String?, _ call: DialectCall
    ) async throws -> (AuditEvent.Action?, UserID?) {
        guard let query, !query.isEmpty else { return (nil, nil) }
        let parts = query.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (parts.first, parts.count) {
        case ("action", 2): return (AuditEvent.Action(rawValue: parts[1]), nil)
        case ("author", 2):
            do {
                return (nil, try await call.accounts.userAdministration.identifier(of: parts[1], call: call.flow))
            } catch let error as AuthError where error.code == .userNotFound {
                // Of somebody who is gone the events are left.
                return (nil, UserID(parts[1]))
            }
        default: throw WireError.validation("Invalid query scope")
        }
    }

    /// - Parameter names: what users are called here, where that is not our own identifier.
    private static func encode(_ event: AuditEvent, _ names: [UserID: String]) -> JSONObject {
        var payload: JSONObject = ["action": .string(event.action.rawValue)]
        switch event.actor {
        case .user(let id):
            payload["actor_id"] = .string(names[id] ?? id.rawValue)
            payload["actor_via_sso"] = false
        case .administrator(let role): payload["actor_username"] = .string(role)
        case .commandLine: payload["actor_username"] = "command line"
        case .unknown: break
        }
        payload["user_id"] = event.userID.map { .string(names[$0] ?? $0.rawValue) }
        payload["email_hash"] = event.emailHash.map { .string($0) }
        if !event.details.isEmpty { payload["traits"] = .object(event.details) }
        return [
            "id": .string(event.id.rawValue), "payload": .object(payload), "created_at": .string(event.at.rfc3339),
            "ip_address": .string(event.truncatedAddress ?? ""),
        ]
    }
}
