// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import Logging
import ServerKit

/// One call of an operation that nobody signs in for.
struct PublicCall: Sendable, LimitedCall {
    let accounts: AccountFlows
    let request: Request
    let flow: CallContext
    /// The same for what is written where the pool keeps what its users are described by.
    let poolFlow: CallContext
    /// Below which the Directory's operations are.
    let place: String
    private let context: LatchkeyRequestContext

    /// - Throws: ``AuthErrorCode/notFound`` where the path names no Directory.
    init(
        _ request: Request, _ context: LatchkeyRequestContext, accounts: AccountFlows, links: any VerificationLinks,
        pool: DialectName?
    ) async throws {
        let name = context.parameters.get("directory") ?? DirectoryCatalog.defaultName
        guard let directory = try await accounts.directories.directory(named: name, at: context.now) else {
            throw AuthError(.notFound, reason: "no such Directory")
        }
        self.accounts = accounts
        self.request = request
        self.context = context
        place = context.parameters.get("directory").map { "/directories/\($0)" + AppAPI.path } ?? AppAPI.path
        let flow = CallContext(
            directory: directory, now: context.now, device: DeviceMetadata(request, client: context.client),
            language: MessageLanguage(acceptLanguage: request.headers[.acceptLanguage]), links: links,
            actor: .unknown)
        var poolFlow = flow
        poolFlow.dialect = pool
        (self.flow, self.poolFlow) = (flow, poolFlow)
    }

    var logger: Logger { context.logger }

    /// A part of the path.
    func part(_ name: String) -> String { context.parameters.get(name) ?? "" }

    /// These operations are told apart by their paths alone.
    var query: [String: String] { [:] }
    func memberText(_: String) -> String? { nil }
}
