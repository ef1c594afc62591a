// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird

/// `/admin/users/{id}/factors`
enum AdminFactorEndpoints {
    static func list(_ call: DialectCall) async throws -> Response {
        let id = try await AdminUserEndpoints.userID(call)
        let factors = try await call.accounts.factorAdministration.list(of: id, call: call.flow)
        return Answer.json(.array(factors.map { .object(FactorResponse.encode(FactorSummary($0))) }))
    }

    static func update(_ call: DialectCall) async throws -> Response {
        let (id, factor) = try await own(call)
        let name = try call.body.text("friendly_name")
        let phone = try call.body.phone()
        if phone != nil, factor.kind != .phone {
            throw WireError.validation("phone can only be updated of a phone factor")
        }
        let changed = try await call.accounts.factorAdministration.change(
            factor.id, of: id, name: name, phone: phone, call: call.flow)
        return Answer.object(FactorResponse.encode(FactorSummary(changed)))
    }

    static func delete(_ call: DialectCall) async throws -> Response {
        let (id, factor) = try await own(call)
        let removed = try await call.accounts.factorAdministration.remove(factor.id, of: id, call: call.flow)
        return Answer.object(FactorResponse.encode(FactorSummary(removed)))
    }

    private static func own(_ call: DialectCall) async throws -> (UserID, Factor) {
        let id = try await AdminUserEndpoints.userID(call)
        let factors = try await call.accounts.factorAdministration.list(of: id, call: call.flow)
        let wanted = try FactorEndpoints.factorID(call)
        guard let factor = factors.first(where: { $0.id == wanted }) else { throw AuthError(.factorNotFound) }
        return (id, factor)
    }
}
