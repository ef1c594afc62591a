// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// Configurations of SAML providers, which sign nobody in here: kept with the Directory, as they were written.
struct SAMLConfigurations: ProviderConfigurations {
    private static let place = "firebase"
    private static let kind = ProviderKind.saml.rawValue
    private static let maximum = 100

    func all(_ call: DialectCall) async throws -> [String: JSONObject] {
        Self.stored(call.flow.settings).members.reduce(into: [:]) { $0[$1.name] = $1.value.objectValue }
    }

    func get(_ id: String, _ call: DialectCall) async throws -> JSONObject? {
        Self.stored(call.flow.settings)[id]?.objectValue
    }

    func create(
        _ id: String, _ call: DialectCall, _ change: @Sendable @escaping (JSONObject) throws -> JSONObject
    ) async throws -> JSONObject {
        try await write(id, call) { former, count in
            guard former == nil else { throw ProviderConfigurationError.exists }
            guard count < Self.maximum else {
                throw WireError("INVALID_CONFIG", "\(Self.maximum) configurations are the most.")
            }
            return try change([:])
        }
    }

    func update(
        _ id: String, _ call: DialectCall, _ change: @Sendable @escaping (JSONObject) throws -> JSONObject
    ) async throws -> JSONObject {
        try await write(id, call) { former, _ in
            guard let former else { throw ProviderConfigurationError.notFound }
            return try change(former)
        }
    }

    func delete(_ id: String, _ call: DialectCall) async throws {
        _ = try await write(id, call) { former, _ in
            guard former != nil else { throw ProviderConfigurationError.notFound }
            return nil
        }
    }

    private static func stored(_ settings: DirectorySettings) -> JSONObject {
        settings.attributes[place]?.objectValue?[kind]?.objectValue ?? [:]
    }

    /// Changes what is kept as it stands: of two changes at once neither undoes the other.
    private func write(
        _ id: String, _ call: DialectCall, _ change: @Sendable @escaping (JSONObject?, Int) throws -> JSONObject?
    ) async throws -> JSONObject {
        let updated = try await call.accounts.directoryAdministration.update(call.directory.id, at: call.now) {
            var all = Self.stored($0)
            all[id] = try change(all[id]?.objectValue, all.members.count).map { .object($0) }
            var place = $0.attributes[Self.place]?.objectValue ?? [:]
            place[Self.kind] = all.isEmpty ? nil : .object(all)
            $0.attributes[Self.place] = place.isEmpty ? nil : .object(place)
        }
        call.dialect.directories.invalidate()
        return Self.stored(updated.settings)[id]?.objectValue ?? [:]
    }
}
