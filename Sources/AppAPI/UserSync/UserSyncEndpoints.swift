// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `POST /v1/user-sync`: a user here follows what an identity provider says of them, or is made by it (H-7, H-9). For
/// apps whose users sign in by the provider's own SDK; what that gave the app is the proof, and nobody is signed in by
/// it. `GET /v1/user-sync/{id}`: what has become of one that had to wait (H-8).
enum UserSyncEndpoints {
    static let path = "/user-sync"

    static func post(_ call: PublicCall) async throws -> Response {
        let body = try await RequestReading.object(of: call.request, limits: limits)
        let request = try Request(body)
        let synchronization = try await call.accounts.synchronizeUser(
            request.proof, request.token, nonce: request.nonce, of: request.provider, call: call.poolFlow)
        switch synchronization {
        case .done(let outcome):
            return answer(
                [
                    "status": "done", "created": .bool(outcome.isNew),
                    "user": .object(try await SyncedUser.encode(outcome.record, call)),
                ], status: outcome.isNew ? .created : .ok)
        case .queued(let id):
            let standing = try await call.accounts.synchronizeUser.standing(of: id, call: call.flow)
            var response = answer(try await encode(standing, id, call), status: .accepted)
            response.headers[.location] = call.place + path + "/" + id.rawValue
            response.headers.setRetryAfter(retry(standing, call))
            return response
        }
    }

    static func get(_ call: PublicCall) async throws -> Response {
        let id = call.part("id")
        guard id.utf8.count <= 64 else { throw AuthError(.notFound) }
        let standing = try await call.accounts.synchronizeUser.standing(of: OutboxMessageID(id), call: call.flow)
        var response = answer(try await encode(standing, OutboxMessageID(id), call))
        if standing.state == .waiting { response.headers.setRetryAfter(retry(standing, call)) }
        return response
    }

    private static let limits = JSONLimits(depth: 2, members: 8, bytes: 16 << 10)

    private static func encode(
        _ standing: UserSyncStanding, _ id: OutboxMessageID, _ call: PublicCall
    ) async throws -> JSONObject {
        var json: JSONObject = [
            "status": .string(standing.state.rawValue), "id": .string(id.rawValue),
            "attempts": .integer(Int64(standing.attempts)),
            "nextTryAt": standing.nextTryAt.map { .string($0.rfc3339) } ?? .null,
            "error": standing.error.map { .string($0) } ?? .null,
        ]
        json["user"] = .null
        if let record = standing.user { json["user"] = .object(try await SyncedUser.encode(record, call)) }
        return json
    }

    private static func retry(_ standing: UserSyncStanding, _ call: PublicCall) -> TimeSpan {
        standing.nextTryAt.map { max($0 - call.flow.now, .seconds(1)) } ?? .seconds(1)
    }

    /// Of one user, by who shows their token: nobody keeps it on the way.
    private static func answer(_ json: JSONObject, status: HTTPResponse.Status = .ok) -> Response {
        var response = AppAPI.answer(json, status: status)
        response.headers[.cacheControl] = "no-store"
        return response
    }

    /// What an app says. Unknown members are refused.
    private struct Request {
        var provider = ""
        var proof = UserSync.Proof.idToken
        var token = Secret("")
        var nonce: String?

        init(_ body: JSONObject) throws(AuthError) {
            var proofs = 0
            for member in body.members {
                let reader = MemberReader(name: member.name, value: member.value)
                switch member.name {
                case "provider": provider = try reader.text()
                case "idToken": (proof, token, proofs) = (.idToken, Secret(try reader.text()), proofs + 1)
                case "accessToken": (proof, token, proofs) = (.accessToken, Secret(try reader.text()), proofs + 1)
                case "nonce": nonce = try reader.text()
                default: throw AuthError(.invalidRequest, reason: "unknown member", field: member.name)
                }
            }
            guard body["provider"] != nil else {
                throw AuthError(.invalidRequest, reason: "a provider is needed", field: "provider")
            }
            guard proofs == 1 else {
                throw AuthError(.invalidRequest, reason: "an ID token or an access token is needed", field: "idToken")
            }
        }
    }
}
