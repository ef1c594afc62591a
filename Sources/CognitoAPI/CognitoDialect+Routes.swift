// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import Mail
import ServerKit

extension CognitoDialect {
    private static let poolPath = "/{pool_id}/.well-known"

    /// Adds the one path that every operation is posted to, and the public documents of each pool.
    public func addRoutes(to router: some RouterMethods<LatchkeyRequestContext>, routes: KnownRoutes) {
        routes.add(.post, "/")
        router.post("/") { request, context in try await respond(to: request, context) }
        addIdentityDocuments(to: router, routes)
        addDocument("jwks.json", to: router, routes) { try await KeyEndpoints.keys(of: $0, dialect: self, at: $1) }
        addDocument("openid-configuration", to: router, routes) {
            try await KeyEndpoints.configuration(of: $0, dialect: self, at: $1)
        }
    }

    /// The part of the URL space in which errors are said in this dialect's form. Whoever comes to the root by another
    /// method than the one that all operations have is no client of this dialect's.
    public var surfaces: [Surface] { [Surface(prefix: "/", renderer: errors, methods: [.post])] }

    public var hashingRoutes: [HashingRoute] {
        Operation.all.compactMap {
            HashingRoute(.post, "/", target: (.amazonTarget, $0.target), $0.hashing, CognitoErrors())
        }
    }

    public static func errorEntry(for code: AuthErrorCode) -> ErrorEntry? {
        ErrorTable.entries[code].map {
            ErrorEntry(
                status: nil, code: $0.exception, words: $0.message, told: ($0.told?.code ?? code).messageKey)
        }
    }

    public var errors: any ErrorRenderer { CognitoErrors() }

    private func addDocument(
        _ name: String, to router: some RouterMethods<LatchkeyRequestContext>, _ routes: KnownRoutes,
        _ document: @escaping @Sendable (Directory, Instant) async throws -> Response
    ) {
        let path = Self.poolPath + "/" + name
        routes.add(.get, path)
        router.get(RouterPath(path)) { _, context in
            guard let pool = context.parameters.get("pool_id"), let id = directoryID(ofPool: pool),
                let directory = try await directories.directory(id, at: context.now)
            else { throw AuthError(.notFound, reason: "no such pool") }
            return try await document(directory, context.now)
        }
    }

    private func respond(to request: Request, _ context: LatchkeyRequestContext) async throws -> Response {
        do {
            if let operation = try IdentityPoolOperation.named(by: request.headers[.amazonTarget]) {
                return try await IdentityPoolGateway(dialect: self).respond(to: operation, request, context)
            }
            let operation = try Operation.named(by: request.headers[.amazonTarget])
            let call = try await CallAuthentication(dialect: self).call(operation, request, context)
            if !call.isAdministrative { try operation.limit?.count(call, by: accounts.limits) }
            try PoolTriggers.require(for: operation, call)
            return Answer.object(try await operation.perform(call), requestID: context.requestID)
        } catch let error as WireError {
            return Answer.error(error, to: request, requestID: context.requestID)
        }
    }
}

/// Errors of this dialect's URL space.
struct CognitoErrors: ErrorRenderer, RefusalRenderer {
    let fields: [HTTPField.Name] = [.acceptLanguage]

    func response(for error: AuthError, to request: Request, context: LatchkeyRequestContext) -> Response {
        Answer.error(WireError(error), to: request, requestID: context.requestID)
    }

    func refusal(_ error: AuthError, to headers: HTTPFields) -> Refusal {
        Answer.refusal(WireError(error), to: headers)
    }
}
