// SPDX-License-Identifier: Apache-2.0

import AccountStorePostgres
import AuthTypes
import Crypto
import Foundation

/// Where accounts are kept, as the setting `database` says it.
enum DatabaseLocation: Sendable, Hashable, CustomStringConvertible {
    case sqlite(path: String)
    case postgres(PostgresAddress)

    static let standard = DatabaseLocation.sqlite(path: "latchkey.sqlite")

    /// - Throws: ``AuthErrorCode/invalidRequest`` that does not repeat the text: there may be a password in it.
    init(parsing text: String) throws(AuthError) {
        if text.hasPrefix("postgres:") || text.hasPrefix("postgresql:") {
            self = .postgres(try PostgresAddress(parsing: text))
            return
        }
        guard text.hasPrefix("sqlite:"), text.count > 7 else {
            throw AuthError(.invalidRequest, reason: "expected sqlite:PATH or postgres://USER@HOST/DATABASE")
        }
        self = .sqlite(path: String(text.dropFirst(7)))
    }

    /// Without what is secret of it.
    var description: String {
        switch self {
        case .sqlite(let path): "sqlite:" + path
        case .postgres(let address): "\(address)"
        }
    }

    /// What it is called in errors and reports: a file's name as it was given.
    var name: String {
        switch self {
        case .sqlite(let path): path
        case .postgres(let address): "\(address)"
        }
    }

    /// Whether a password stands in what it was read from.
    var hasPassword: Bool {
        if case .postgres(let address) = self { return address.hasPassword }
        return false
    }

    /// Where development mode keeps the database's master key: beside the file, or in the folder of development mode,
    /// under a name that no other database has.
    var masterKeyPath: String {
        switch self {
        case .sqlite(let path): path + ".master-key"
        case .postgres(let address):
            DevelopmentMode.folder + "/postgres-"
                + Hex.encode(Array(SHA256.hash(data: Array("\(address)".utf8)).prefix(8))) + ".master-key"
        }
    }

    /// For what only a file can do.
    ///
    /// - Parameter instead: what does it for PostgreSQL.
    /// - Throws: ``CommandFailure``.
    func file(instead: String) throws -> String {
        guard case .sqlite(let path) = self else { throw CommandFailure("\(self): \(instead)", .usage) }
        return path
    }
}

extension ServerConfiguration {
    /// What there is to say of the way to the database, or to its replica; `nil` for nothing.
    var databaseWarning: String? {
        var addresses = [postgres.replica].compactMap(\.self)
        if case .postgres(let address) = database { addresses.append(address) }
        guard addresses.contains(where: { $0.trustsTheNetwork(ProcessInfo.processInfo.environment) }) else {
            return nil
        }
        return
            "whoever is between this machine and the database can answer in its place: sslmode=verify-full makes sure of it"
    }
}
