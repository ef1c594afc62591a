// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The audit log in the hands of an administrator: to look at. Nobody changes it.
public struct AuditLog: Sendable {
    public static let maximumLimit = 100

    private let store: any AccountStoring

    public init(_ ports: AccountPorts) {
        store = ports.store
    }

    /// What the call's dialect calls the users whom `events` name, where that is not our own identifier.
    ///
    /// - Throws: `AuthErrorCode.forbidden`.
    public func identifiers(in events: [AuditEvent], call: CallContext) async throws -> [UserID: String] {
        try call.requireAdministrator()
        guard let dialect = call.dialect else { return [:] }
        let users = Set(events.flatMap { [$0.userID, $0.actor.userID].compactMap(\.self) })
        let all = try await store.read { try $0.externalIdentifiers(of: Array(users), in: call.directory.id) }
        return all.compactMapValues { $0[dialect]?.rawValue }
    }

    /// A page, newest first. What happens between two pages is in neither, and no event is in both.
    ///
    /// - Parameters:
    ///   - action: and `user` narrow the log.
    ///   - place: of the last event of the page before.
    ///   - limit: 1 to ``maximumLimit``.
    /// - Returns: the events, and whether more follow.
    /// - Throws: `AuthErrorCode.invalidRequest` naming the field, `.forbidden`.
    public func page(
        action: AuditEvent.Action? = nil, user: UserID? = nil, after place: AuditPlace? = nil, limit: Int,
        call: CallContext
    ) async throws -> (events: [AuditEvent], hasMore: Bool) {
        try call.requireAdministrator()
        guard (1...Self.maximumLimit).contains(limit) else { throw AuthError(.invalidRequest, field: "limit") }
        let events = try await store.scanReplica(in: call.directory.id) { tx in
            try tx.auditEvents(
                in: call.directory.id, actions: action.map { [$0] }, user: user, after: place, limit: limit + 1)
        }
        return (Array(events.prefix(limit)), events.count > limit)
    }

    /// A numbered page, newest first, for clients that are told how many there are in all.
    ///
    /// - Parameters:
    ///   - actions: and `user` narrow the log; `nil` for all.
    ///   - page: from 1.
    ///   - perPage: 1 to ``UserAdministration/maximumPage``.
    /// - Throws: `AuthErrorCode.invalidRequest` naming the field, `.forbidden`.
    public func list(
        actions: [AuditEvent.Action]? = nil, user: UserID? = nil, page: Int = 1, perPage: Int = 50, call: CallContext
    ) async throws -> (events: [AuditEvent], total: Int) {
        try call.requireAdministrator()
        guard (1...10_000_000).contains(page) else { throw AuthError(.invalidRequest, field: "page") }
        guard (1...UserAdministration.maximumPage).contains(perPage) else {
            throw AuthError(.invalidRequest, field: "per_page")
        }
        let directory = call.directory.id
        return try await store.scanReplica(in: directory) { tx in
            (
                try tx.auditEvents(
                    in: directory, actions: actions, user: user, offset: (page - 1) * perPage, limit: perPage),
                try tx.auditEventCount(in: directory, actions: actions, user: user)
            )
        }
    }
}

extension AuditEvent.Actor {
    fileprivate var userID: UserID? { if case .user(let id) = self { id } else { nil } }
}
