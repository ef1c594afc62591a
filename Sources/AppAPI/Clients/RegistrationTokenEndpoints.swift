// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// `/v1/admin/registration-tokens*`: what lets programs register themselves as clients, in the Directory of whoever
/// asks.
enum RegistrationTokenEndpoints {
    static func list(_ call: AppCall) async throws -> Response {
        let tokens = try await call.accounts.initialAccessTokens.list(call: call.flow)
        return AppAPI.answer(["tokens": .array(tokens.map { .object(InitialAccessTokenDocument.encode($0)) })])
    }

    static func create(_ call: AppCall) async throws -> Response {
        var (name, grants, scopes) = (
            "", [ClientAuthorization.Grant.code, .refreshToken], ClientRegistration.usualScopes
        )
        var (hosts, uses, lifetime) = ([String](), Int64?.some(1), Int64?.none)
        for member in try await RequestReading.object(of: call.request).members {
            let reader = MemberReader(name: member.name, value: member.value)
            switch member.name {
            case "name": name = try reader.text()
            case "grants": grants = try reader.choices()
            case "scopes": scopes = try reader.texts()
            case "redirectHosts": hosts = try reader.texts()
            case "uses": uses = try reader.number()
            case "expiresIn": lifetime = try reader.number()
            default: throw AuthError(.invalidRequest, reason: "unknown member", field: member.name)
            }
        }
        do {
            let (token, text) = try await call.accounts.initialAccessTokens.create(
                name: name, grants: grants, scopes: scopes, redirectHosts: hosts, uses: uses,
                lifetime: lifetime.map { .seconds($0) }, call: call.flow)
            var response = AppAPI.answer(InitialAccessTokenDocument.encode(token, text: text), status: .created)
            response.headers[.cacheControl] = "no-store"
            return response
        } catch let error as AuthError {
            throw error.withWireName
        }
    }

    static func revoke(_ call: AppCall) async throws -> Response {
        let id = InitialAccessTokenID(call.id ?? "")
        try await call.accounts.initialAccessTokens.revoke(id, call: call.flow)
        return AppAPI.answer(["revoked": .string(id.rawValue)])
    }
}
