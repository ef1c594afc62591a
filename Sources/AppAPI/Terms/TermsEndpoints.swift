// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// `/v1/terms`, for anybody to read, and `/v1/admin/terms`: what users are asked to agree to, in its versions.
enum TermsEndpoints {
    static let path = "/terms"
    private static let limits = JSONLimits(depth: 6, members: 5000, bytes: 1 << 20)

    /// `GET /v1/terms`: an app reads it before anybody signs up.
    static func current(_ call: PublicCall) async throws -> Response {
        let (current, upcoming) = try await call.accounts.termsCatalog(call: call.flow)
        return AppAPI.answer(["terms": list(current), "upcoming": list(upcoming)])
    }

    /// `GET /v1/admin/terms`: every version that was published.
    static func all(_ call: AppCall) async throws -> Response {
        AppAPI.answer(["terms": list(try await call.accounts.termsAdministration.list(call: call.flow))])
    }

    /// `POST /v1/admin/terms`: one version, or an array of them as `terms`, all or none. What is there already in the
    /// same words is left as it is.
    static func publish(_ call: AppCall) async throws -> Response {
        let body = try await RequestReading.object(of: call.request, limits: limits)
        let drafts = try body["terms"] == nil ? [TermsDraft(body)] : TermsDraft.list(.object(body))
        if body["terms"] != nil, body.names.count > 1 {
            throw AuthError(.invalidRequest, reason: "unknown member", field: body.names.first { $0 != "terms" })
        }
        let published = try await call.accounts.termsAdministration.publish(drafts, call: call.flow)
        return AppAPI.answer(["terms": list(published)], status: published.isEmpty ? .ok : .created)
    }

    /// `PATCH /v1/admin/terms/{name}/{version}`: whether a sign-in demands it.
    static func demand(_ call: AppCall) async throws -> Response {
        let body = try await RequestReading.object(of: call.request)
        guard let isDemanded = body["demanded"]?.boolValue else { throw AuthError(.invalidRequest, field: "demanded") }
        for name in body.names where name != "demanded" { throw AuthError(.invalidRequest, field: name) }
        let terms = try await call.accounts.termsAdministration.demand(
            isDemanded, of: try reference(call), call: call.flow)
        return AppAPI.answer(terms.json)
    }

    /// `DELETE /v1/admin/terms/{name}/{version}`: one that has not taken effect.
    static func withdraw(_ call: AppCall) async throws -> Response {
        let reference = try reference(call)
        try await call.accounts.termsAdministration.withdraw(reference, call: call.flow)
        return AppAPI.answer(["withdrawn": .string(reference.version)])
    }

    private static func reference(_ call: AppCall) throws(AuthError) -> TermsReference {
        guard let reference = TermsReference(name: call.part("name"), version: call.part("version")) else {
            throw AuthError(.notFound)
        }
        return reference
    }

    private static func list(_ terms: [Terms]) -> JSONValue { .array(terms.map { .object($0.json) }) }
}
