// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// `/v1/admin/lockouts`: what wrong passwords have locked.
enum LockoutEndpoints {
    static func list(_ call: AppCall) async throws -> Response {
        let query = try RequestReading.query(of: call.request)
        let paging = try PageQuery(query, others: ["user"])
        let administration = call.accounts.lockoutAdministration
        if let user = query["user"] {
            guard user.utf8.count <= 128 else { throw AuthError(.userNotFound) }
            let lock = try await administration.lock(of: UserID(user), call: call.flow)
            return answer([lock].compactMap(\.self), next: nil)
        }
        let page = try await administration.list(
            after: try paging.position.map(position), limit: paging.limit, call: call.flow)
        return answer(page.locked, next: page.next)
    }

    static func lift(_ call: AppCall) async throws -> Response {
        guard let id = call.id else { throw AuthError(.notFound) }
        try await call.accounts.lockoutAdministration.lift(id, call: call.flow)
        return AppAPI.answer(["lifted": .string(id)])
    }

    private static func answer(_ locked: [LockedIdentifier], next: LockoutPosition?) -> Response {
        AppAPI.answer([
            "lockouts": .array(locked.map { .object(AdminDocuments.lockout($0)) }),
            "nextCursor": PageQuery.cursor(next.map { "\($0.lockedAt.microseconds).\(Hex.encode($0.key))" }),
        ])
    }

    private static func position(_ text: String) throws(AuthError) -> LockoutPosition {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let time = Int64(parts[0]), let key = Hex.decode(String(parts[1])) else {
            throw AuthError(.invalidRequest, field: "cursor")
        }
        return LockoutPosition(lockedAt: Instant(microseconds: time), key: key)
    }
}
