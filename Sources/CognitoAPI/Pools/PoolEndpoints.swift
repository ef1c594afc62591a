// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `CreateUserPool`, `DescribeUserPool`, `ListUserPools`, `DeleteUserPool`. A pool is a Directory.
enum PoolEndpoints {
    private static let attempts = 3

    static func create(_ call: DialectCall) async throws -> JSONObject {
        let request = try PoolRequest(call.input, house: call.flow.settings)
        let directory = try await make(request, call)
        call.dialect.directories.invalidate()
        return ["UserPool": .object(PoolWire.encode(directory, users: 0, dialect: call.dialect))]
    }

    /// Pools may share a title; the name that is made from it is tried again where another was faster.
    private static func make(_ request: PoolRequest, _ call: DialectCall) async throws -> Directory {
        let administration = call.accounts.directoryAdministration
        for _ in 1..<attempts {
            do {
                return try await administration.create(
                    name: DirectoryAdministration.slug(from: request.name, random: call.accounts.random),
                    settings: request.settings, at: call.now)
            } catch let error as AuthError where error.code == .conflict {
                continue
            }
        }
        return try await administration.create(
            name: DirectoryAdministration.slug(from: request.name, random: call.accounts.random),
            settings: request.settings, at: call.now)
    }

    static func describe(_ call: DialectCall) async throws -> JSONObject {
        let (_, total) = try await call.accounts.userAdministration.list(page: 1, perPage: 1, call: call.flow)
        return ["UserPool": .object(PoolWire.encode(call.directory, users: total, dialect: call.dialect))]
    }

    static func list(_ call: DialectCall) async throws -> JSONObject {
        guard call.input.object["MaxResults"] != nil else { throw Input.missing("MaxResults") }
        let page = try Page(call.input, limit: "MaxResults", token: .nextToken, least: 1)
        let (directories, next) = page.cut(
            try await call.accounts.directoryAdministration.list().sorted { $0.name < $1.name }, by: \.name)
        var json: JSONObject = [
            "UserPools": .array(directories.map { .object(PoolWire.summary($0, dialect: call.dialect)) })
        ]
        json["NextToken"] = next
        return json
    }

    static func delete(_ call: DialectCall) async throws -> JSONObject {
        guard call.directory.name != DirectoryCatalog.defaultName else {
            throw WireError.parameter("The default directory of this server cannot be deleted.")
        }
        guard !call.pool.isProtected else {
            throw WireError.parameter(
                "The user pool cannot be deleted because deletion protection is activated. "
                    + "Deletion protection must be inactivated first.")
        }
        try await call.accounts.directoryAdministration.delete(call.directory.id)
        call.dialect.directories.invalidate()
        call.dialect.clients.invalidate()
        call.dialect.keys.invalidate()
        return [:]
    }
}
