// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// `GET /v1/activities?limit=&cursor=&type=&from=&until=`: newest first (Y-US4, Y-FR8).
enum ActivitiesEndpoint {
    static func get(_ call: AppCall) async throws -> Response {
        let query = try Query(try RequestReading.query(of: call.request))
        let page = try await call.accounts.activityFeed.page(
            of: try call.user.view.account.id, matching: query.filter, cursor: query.cursor, limit: query.limit,
            in: call.directory)
        return AppAPI.answer(encode(page))
    }

    struct Query {
        var limit: Int
        var cursor: String?
        var filter: ActivityFilter

        init(_ query: [String: String]) throws(AuthError) {
            for name in query.keys where !["limit", "cursor", "type", "from", "until"].contains(name) {
                throw AuthError(.invalidRequest, field: name)
            }
            limit = 20
            if let text = query["limit"] {
                guard let value = Int(text), (1...100).contains(value) else {
                    throw AuthError(.invalidRequest, field: "limit")
                }
                limit = value
            }
            cursor = query["cursor"]
            filter = ActivityFilter(
                type: query["type"], from: try Self.instant(query["from"], "from"),
                until: try Self.instant(query["until"], "until"))
        }

        private static func instant(_ text: String?, _ field: String) throws(AuthError) -> Instant? {
            guard let text else { return nil }
            guard let instant = Instant(rfc3339: text) else { throw AuthError(.invalidRequest, field: field) }
            return instant
        }
    }

    static func encode(_ page: ActivityFeed.Page) -> JSONObject {
        [
            "activities": .array(
                page.activities.map { activity in
                    [
                        "id": .string(activity.id.rawValue), "type": .string(activity.type),
                        "description": .string(activity.description),
                        "durationSeconds": .integer(activity.durationSeconds),
                        "timestamp": .string(activity.at.rfc3339),
                    ]
                }),
            "nextCursor": page.nextCursor.map { .string($0) } ?? .null,
        ]
    }
}
