// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `CreateUserPool`, `DescribeUserPool`, `UpdateUserPool`, `AddCustomAttributes`, `ListUserPools`, `DeleteUserPool`. A
/// pool is a Directory.
enum PoolEndpoints {
    private static let attempts = 3
    private static let mostAdded = 25

    static func create(_ call: DialectCall) async throws -> JSONObject {
        let settings = try PoolRequest.settings(call.input, house: call.flow.settings)
        let directory = try await make(settings, call)
        call.dialect.directories.invalidate()
        return ["UserPool": .object(PoolWire.encode(directory, users: 0, domains: [], dialect: call.dialect))]
    }

    /// Pools may share a title; the name that is made from it is tried again where another was faster.
    private static func make(_ settings: DirectorySettings, _ call: DialectCall) async throws -> Directory {
        let administration = call.accounts.directoryAdministration
        for _ in 1..<attempts {
            do {
                return try await administration.create(
                    name: DirectoryAdministration.slug(from: settings.title ?? "", random: call.accounts.random),
                    settings: settings, at: call.now)
            } catch let error as AuthError where error.code == .conflict {
                continue
            }
        }
        return try await administration.create(
            name: DirectoryAdministration.slug(from: settings.title ?? "", random: call.accounts.random),
            settings: settings, at: call.now)
    }

    static func describe(_ call: DialectCall) async throws -> JSONObject {
        let (_, total) = try await call.accounts.userAdministration.list(page: 1, perPage: 1, call: call.flow)
        let domains = try await call.accounts.domainAdministration.list(call: call.flow)
        return [
            "UserPool": .object(
                PoolWire.encode(call.directory, users: total, domains: domains, dialect: call.dialect))
        ]
    }

    /// Of the settings as they stand, so that of two changes at once neither undoes the other.
    static func update(_ call: DialectCall) async throws -> JSONObject {
        let input = call.input
        try await change(call) { settings in try PoolRequest.change(&settings, by: input) }
        return [:]
    }

    /// Custom attributes beside those that the pool has, which can't be taken away again.
    static func addAttributes(_ call: DialectCall) async throws -> JSONObject {
        guard let list = try call.input.list("CustomAttributes") else { throw Input.missing("CustomAttributes") }
        guard (1...mostAdded).contains(list.count) else {
            throw Input.violation("Value", "CustomAttributes", "have length less than or equal to \(mostAdded)")
        }
        var attributes: [PoolAttribute] = []
        for element in list {
            guard let json = element.objectValue else { throw Input.mismatch("CustomAttributes", "Structure") }
            attributes.append(try PoolAttribute(json, isCustom: true))
        }
        try await change(call) { [attributes] settings in
            var pool = PoolSettings(settings)
            for attribute in attributes { try pool.add(attribute) }
            pool.keep(in: &settings)
        }
        return [:]
    }

    /// - Returns: the settings as now stored.
    @discardableResult
    static func change(
        _ call: DialectCall, _ body: @escaping @Sendable (inout DirectorySettings) throws -> Void
    ) async throws -> DirectorySettings {
        let changed = try await call.accounts.directoryAdministration.update(call.directory.id, at: call.now, body)
        call.dialect.directories.invalidate()
        return changed.settings
    }

    /// The pools that were made as such: Directories of other dialects, and the one that is always there, are pools to
    /// whoever names them.
    static func list(_ call: DialectCall) async throws -> JSONObject {
        guard call.input.object["MaxResults"] != nil else { throw Input.missing("MaxResults") }
        let page = try Page(call.input, of: ["user pools"], limit: "MaxResults", token: .nextToken, least: 1)
        let (directories, next) = page.cut(
            try await call.accounts.directoryAdministration.list()
                .filter { PoolSettings($0.settings).isDeclared }, by: \.name)
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
        try await call.accounts.directoryAdministration.delete(call.directory.id) { directory in
            guard !PoolSettings(directory.settings).isProtected else {
                throw WireError.parameter(
                    "The user pool cannot be deleted because deletion protection is activated. "
                        + "Deletion protection must be inactivated first.")
            }
        }
        call.dialect.directories.invalidate()
        call.dialect.clients.invalidate()
        call.dialect.keys.invalidate()
        return [:]
    }
}
