// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// `/v1/sessions`: where the user is signed in, in whichever dialect, and what ends it (G-6).
enum SessionEndpoints {
    /// `GET /v1/sessions?limit=&cursor=`
    static func list(_ call: AppCall) async throws -> Response {
        let query = try PageQuery(try RequestReading.query(of: call.request))
        let page = try await call.accounts.sessionList.page(
            of: try await call.authenticated, after: try query.position.map(position), limit: query.limit,
            call: call.flow)
        return AppAPI.answer([
            "sessions": .array(page.entries.map { .object(document($0)) }),
            "nextCursor": PageQuery.cursor(page.next.map { "\($0.createdAt.microseconds).\($0.id.rawValue)" }),
        ])
    }

    /// `DELETE /v1/sessions/{id}`. A session that is nobody's, another user's or over is not there, without a
    /// difference.
    static func end(_ call: AppCall) async throws -> Response {
        let user = try await call.authenticated
        guard let id = call.id, id.utf8.count <= 128 else { throw AuthError(.notFound) }
        do {
            try await call.accounts.sessionList.revoke(SessionID(id), of: user, call: call.flow)
        } catch let error as AuthError where error.code == .sessionNotFound {
            throw AuthError(.notFound, reason: "no live session of the user's")
        }
        return AppAPI.answer(["ended": 1])
    }

    /// `DELETE /v1/sessions?others=true`. Nobody ends all of them by leaving something out.
    static func endOthers(_ call: AppCall) async throws -> Response {
        let query = try RequestReading.query(of: call.request)
        for name in query.keys where name != "others" { throw AuthError(.invalidRequest, field: name) }
        guard query["others"] == "true" else { throw AuthError(.invalidRequest, field: "others") }
        let count = try await call.accounts.sessionList.revokeOthers(of: try await call.authenticated, call: call.flow)
        return AppAPI.answer(["ended": .integer(Int64(count))])
    }

    static func document(_ entry: SessionList.Entry) -> JSONObject {
        let (session, device) = (entry.session, entry.session.device)
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        return [
            "id": .string(session.id.rawValue), "device": text(device.name ?? device.knownName),
            "operatingSystem": text(device.operatingSystem), "appVersion": text(device.appVersion),
            "app": text(entry.app), "address": text(device.truncatedAddress),
            "createdAt": .string(session.createdAt.rfc3339), "lastActiveAt": .string(session.lastActiveAt.rfc3339),
            "current": .bool(entry.isCurrent), "remembered": .bool(entry.isOnRememberedDevice),
        ]
    }

    private static func position(_ text: String) throws(AuthError) -> SessionPosition {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let time = Int64(parts[0]) else { throw AuthError(.invalidRequest, field: "cursor") }
        return SessionPosition(createdAt: Instant(microseconds: time), id: SessionID(String(parts[1])))
    }
}
