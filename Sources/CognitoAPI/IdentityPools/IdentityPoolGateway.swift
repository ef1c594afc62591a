// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import Mail
import ServerKit

/// Finds out which pool a call is about and who it comes from, and answers it.
struct IdentityPoolGateway: Sendable {
    let dialect: CognitoDialect

    /// - Throws: `AuthError` for what is no refusal of the pool's.
    func respond(
        to operation: IdentityPoolOperation, _ request: Request, _ context: LatchkeyRequestContext
    ) async throws -> Response {
        var input = Input([:])
        do {
            let call = try await self.call(operation, request, context) { input = $0 }
            if call.administrator == nil { try operation.limit?.count(call, by: dialect.accounts.limits) }
            return Answer.object(try await operation.perform(call), requestID: context.requestID)
        } catch let error as WireError {
            return Answer.error(IdentityPoolErrors.validation(error), to: request, requestID: context.requestID)
        } catch let refusal as IdentityPoolRefusal {
            let error = IdentityPoolErrors(operation: operation.name, input: input, now: context.now).error(refusal)
            return Answer.error(error, to: request, requestID: context.requestID)
        } catch let error as AuthError {
            guard let said = IdentityPoolErrors.error(error, operation: operation.name) else { throw error }
            return Answer.error(said, to: request, requestID: context.requestID)
        }
    }

    private func call(
        _ operation: IdentityPoolOperation, _ request: Request, _ context: LatchkeyRequestContext,
        _ note: (Input) -> Void
    ) async throws -> IdentityPoolCall {
        let bytes = try await RequestReading.bytes(of: request)
        let authentication = CallAuthentication(dialect: dialect)
        // Who calls comes before what they say.
        let administrator =
            operation.isOpen
            ? nil
            : try authentication.administrator(request, body: bytes, service: "cognito-identity", at: context.now)
        let input = try CallAuthentication.input(bytes)
        note(input)
        let pool = try await pool(of: operation, input)
        let directory =
            if let pool { try await dialect.directories.directory(pool.directoryID, at: context.now) } else {
                try await authentication.standing(at: context.now)
            }
        guard let directory else { throw IdentityPoolRefusal.poolNotFound }
        var flow = CallContext(
            directory: directory, now: context.now, device: DeviceMetadata(request, client: context.client),
            language: MessageLanguage(acceptLanguage: request.headers[.acceptLanguage]),
            links: SiteLinks(dialect.settings.url), dialect: CognitoDialect.name)
        flow.origin = context.origin
        if let administrator { flow.actor = .administrator(administrator) }
        return IdentityPoolCall(
            dialect: dialect, flow: flow, input: input, namedPool: pool, administrator: administrator)
    }

    private func pool(of operation: IdentityPoolOperation, _ input: Input) async throws -> IdentityPool? {
        let pools = dialect.accounts.identityPools
        switch operation.subject {
        case .server: return nil
        case .pool:
            guard let id = dialect.identityPoolID(try input.required(.identityPoolID)),
                let pool = try await pools.pool(id)
            else { throw IdentityPoolRefusal.poolNotFound }
            return pool
        case .identity:
            let id = try dialect.identityID(try input.required(.identityID))
            guard let pool = try await pools.pool(of: id) else { throw IdentityPoolRefusal.identityNotFound }
            return pool
        }
    }
}
