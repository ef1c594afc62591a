// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import ServerKit

/// One operation of the service's identity pools, as the last part of `X-Amz-Target` names it.
struct IdentityPoolOperation: Sendable {
    /// Where a call names its pool.
    enum Subject: Sendable {
        /// By `IdentityPoolId`.
        case pool
        /// By `IdentityId`.
        case identity
        /// It is about no pool in particular.
        case server
    }

    let name: String
    let subject: Subject
    /// `nil` for what only the holder of an access key may call.
    let limit: RouteLimit?
    /// Answers the members of the operation's output.
    let perform: @Sendable (IdentityPoolCall) async throws -> JSONObject

    init(
        _ name: String, _ subject: Subject, limit: RouteLimit? = nil,
        _ perform: @escaping @Sendable (IdentityPoolCall) async throws -> JSONObject
    ) {
        self.name = name
        self.subject = subject
        self.limit = limit
        self.perform = perform
    }

    /// Whether it carries no signature.
    var isOpen: Bool { limit != nil }

    static let service = "AWSCognitoIdentityService."

    static let all: [IdentityPoolOperation] = [
        IdentityPoolOperation(
            "GetId", .pool, limit: .first([.when(.anyMember(["Logins"]), .signIn)], otherwise: .anonymous),
            IdentityEndpoints.id),
        IdentityPoolOperation(
            "GetOpenIdToken", .identity, limit: .by(.refresh), IdentityEndpoints.token),
        IdentityPoolOperation(
            "GetCredentialsForIdentity", .identity, limit: .by(.refresh), IdentityEndpoints.credentials),
        IdentityPoolOperation("UnlinkIdentity", .identity, limit: .by(.signIn), IdentityEndpoints.unlink),

        IdentityPoolOperation("GetOpenIdTokenForDeveloperIdentity", .pool, DeveloperEndpoints.token),
        IdentityPoolOperation("LookupDeveloperIdentity", .pool, DeveloperEndpoints.lookUp),
        IdentityPoolOperation("MergeDeveloperIdentities", .pool, DeveloperEndpoints.merge),
        IdentityPoolOperation("UnlinkDeveloperIdentity", .pool, DeveloperEndpoints.unlink),

        IdentityPoolOperation("CreateIdentityPool", .server, IdentityPoolEndpoints.create),
        IdentityPoolOperation("DescribeIdentityPool", .pool, IdentityPoolEndpoints.describe),
        IdentityPoolOperation("UpdateIdentityPool", .pool, IdentityPoolEndpoints.update),
        IdentityPoolOperation("DeleteIdentityPool", .pool, IdentityPoolEndpoints.delete),
        IdentityPoolOperation("ListIdentityPools", .server, IdentityPoolEndpoints.list),
        IdentityPoolOperation("ListIdentities", .pool, PoolIdentityEndpoints.list),
        IdentityPoolOperation("DescribeIdentity", .identity, PoolIdentityEndpoints.describe),
        IdentityPoolOperation("DeleteIdentities", .server, PoolIdentityEndpoints.delete),
        IdentityPoolOperation("SetIdentityPoolRoles", .pool, RoleEndpoints.set),
        IdentityPoolOperation("GetIdentityPoolRoles", .pool, RoleEndpoints.get),
        IdentityPoolOperation("SetPrincipalTagAttributeMap", .pool, TagEndpoints.setPrincipalTags),
        IdentityPoolOperation("GetPrincipalTagAttributeMap", .pool, TagEndpoints.principalTags),
        IdentityPoolOperation("TagResource", .server, TagEndpoints.tag),
        IdentityPoolOperation("UntagResource", .server, TagEndpoints.untag),
        IdentityPoolOperation("ListTagsForResource", .server, TagEndpoints.tags),
    ]

    private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

    /// `nil` for a target of another service.
    ///
    /// - Throws: `UnknownOperationException`.
    static func named(by target: String?) throws(WireError) -> IdentityPoolOperation? {
        guard let target, target.hasPrefix(service) else { return nil }
        guard let operation = byName[String(target.dropFirst(service.count))] else { throw .unknownOperation }
        return operation
    }
}
