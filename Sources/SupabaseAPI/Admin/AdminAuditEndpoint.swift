// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `GET /admin/audit?page=&per_page=&query=action:login`
enum AdminAuditEndpoint {
    static func list(_ call: DialectCall) async throws -> Response {
        let page = try Page(call.query)
        let filter = try await Filter(call.query["query"], call)
        let (events, total) = try await call.accounts.auditLog.list(
            actions: filter.actions, user: filter.user, page: page.number, perPage: page.size, call: call.flow)
        let names = try await call.accounts.auditLog.identifiers(in: events, call: call.flow)
        var response = Answer.json(.array(events.map { .object(encode($0, names)) }))
        page.describe(total: total, of: call.path, in: &response)
        return response
    }

    /// What `query` narrows the list to: `action:`, `type:` or `author:` with a part of the word.
    private struct Filter {
        /// `nil` for all of them.
        var actions: [AuditEvent.Action]?
        var user: UserID?

        init(_ query: String?, _ call: DialectCall) async throws {
            guard let query, !query.isEmpty else { return }
            let parts = query.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else { throw WireError.validation("Invalid query scope: \(query)") }
            let wanted = parts[1].lowercased()
            switch parts[0] {
            case _ where wanted.isEmpty && ["action", "type", "author"].contains(parts[0]): break
            case "action": actions = AuditEvent.Action.allKnown.filter { $0.rawValue.contains(wanted) }
            case "type":
                actions = AuditEvent.Action.allKnown.filter { AuditLogType($0).rawValue.contains(wanted) }
            case "author": user = try await Self.author(parts[1], call)
            default: throw WireError.validation("Invalid query scope: \(query)")
            }
        }

        /// By address or identifier: the log itself holds no address.
        private static func author(_ text: String, _ call: DialectCall) async throws -> UserID {
            if let email = try? EmailAddress(text),
                let record = try await call.accounts.userAdministration.find(.email(email), call: call.flow)
            {
                return record.user.id
            }
            do {
                return try await call.accounts.userAdministration.identifier(of: text, call: call.flow)
            } catch let error as AuthError where error.code == .userNotFound {
                // Of somebody who is gone the events are left.
                return UserID(text)
            }
        }
    }

    /// - Parameter names: what users are called here, where that is not our own identifier.
    private static func encode(_ event: AuditEvent, _ names: [UserID: String]) -> JSONObject {
        var payload: JSONObject = [
            "action": .string(event.action.rawValue), "log_type": .string(AuditLogType(event.action).rawValue),
        ]
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
