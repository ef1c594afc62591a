// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes

/// Where the configurations of one kind of other providers are, each as the platform writes one, without its name and
/// with its secret open.
protocol ProviderConfigurations: Sendable {
    /// By their names in the platform's form.
    func all(_ call: DialectCall) async throws -> [String: JSONObject]
    func get(_ id: String, _ call: DialectCall) async throws -> JSONObject?

    /// - Parameter change: of what there is, to what shall be; it throws where it does not like the former.
    /// - Returns: what is kept of it.
    /// - Throws: `CONFIGURATION_EXISTS`, `CONFIGURATION_NOT_FOUND`, `INVALID_CONFIG`, `INVALID_CONFIG_ID`.
    func create(
        _ id: String, _ call: DialectCall, _ change: @Sendable @escaping (JSONObject) throws -> JSONObject
    ) async throws -> JSONObject
    func update(
        _ id: String, _ call: DialectCall, _ change: @Sendable @escaping (JSONObject) throws -> JSONObject
    ) async throws -> JSONObject
    func delete(_ id: String, _ call: DialectCall) async throws
}

enum ProviderConfigurationError {
    static let notFound = WireError(
        .notFound, "CONFIGURATION_NOT_FOUND", reason: "notFound", statusName: "NOT_FOUND")
    static let exists = WireError("CONFIGURATION_EXISTS")
}
