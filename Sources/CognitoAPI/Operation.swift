// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ServerKit

/// One operation of the service, as the last part of `X-Amz-Target` names it.
struct Operation: Sendable {
    /// Who may call an operation, and where its pool is named. The first three carry no signature.
    enum Access: Sendable {
        /// Anybody who names an app client by `ClientId`.
        case client
        /// Whoever holds the `AccessToken` in the body.
        case user
        /// Whoever holds the `AccessToken` in the body, or the `Session` of a sign-in that asks for a second factor.
        case holder
        /// The holder of an access key, who names a pool by `UserPoolId`, and perhaps a client of it by `ClientId`.
        case pool
        /// The holder of an access key, about no pool in particular.
        case server
    }

    let name: String
    let access: Access
    /// `nil` for what only the holder of an access key may call.
    let limit: RouteLimit?
    let hashing: RouteHashing
    /// Whether `ClientId` may be ``CustomizationEndpoints/everyClient``.
    let takesEveryClient: Bool
    /// Answers the members of the operation's output.
    let perform: @Sendable (DialectCall) async throws -> JSONObject

    init(
        _ name: String, _ access: Access, limit: RouteLimit? = nil, hashing: RouteHashing = .never,
        takesEveryClient: Bool = false,
        _ perform: @escaping @Sendable (DialectCall) async throws -> JSONObject
    ) {
        self.name = name
        self.access = access
        self.limit = limit
        self.hashing = hashing
        self.takesEveryClient = takesEveryClient
        self.perform = perform
    }

    private static let service = "AWSCognitoIdentityProviderService."

    /// What `X-Amz-Target` says of it.
    var target: String { Self.service + name }

    static let all: [Operation] =
        signIn + factors + devices + passkeys + sessions + account + users + groups + pools + hosting

    private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

    /// - Throws: `UnknownOperationException` for what the service does not know, and for what this server does not do
    ///   what the service says where it is not switched on (``notBuilt``).
    static func named(by target: String?) throws(WireError) -> Operation {
        guard let target, target.hasPrefix(service) else { throw .unknownOperation }
        let name = String(target.dropFirst(service.count))
        if let operation = byName[name] { return operation }
        throw notBuilt[name] ?? .unknownOperation
    }
}
