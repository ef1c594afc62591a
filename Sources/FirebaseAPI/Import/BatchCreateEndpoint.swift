// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `accounts:batchCreate`, and `uploadAccount` in the API before: takes over up to a thousand users with the hashes of
/// their passwords. Who can't be taken over is told by their place in the list, and the call succeeds.
enum BatchCreateEndpoint {
    static func post(_ call: DialectCall) async throws -> Response {
        guard call.isAdministrator else { throw WireError.unauthenticated }
        let rows = try call.body.objects("users")
        guard !rows.isEmpty else { throw WireError("MISSING_USER_ACCOUNT") }
        guard rows.count <= ImportUsers.maximum else { throw AuthError(.invalidRequest) }
        let overwrites = try call.body.flag("allowOverwrite") ?? false
        if try call.body.flag("sanityCheck") ?? false { try requireDistinct(rows) }
        if !overwrites { try requireDistinct(rows, "localId", "DUPLICATE_LOCAL_ID") }
        let hash = try ImportHash(call.body)
        // A thousand rows are enough work for two.
        let (middle, directory) = (rows.count / 2, call.directory)
        async let later = read(rows, middle..<rows.count, hash, directory)
        var (users, faults) = try read(rows, 0..<middle, hash, directory)
        let rest = try await later
        users += rest.users
        faults.merge(rest.faults) { first, _ in first }
        let refused = try await call.accounts.importUsers(users, overwrites: overwrites, call: call.flow)
        faults.merge(refused.mapValues(message)) { first, _ in first }
        var json = Kind.upload.object
        if !faults.isEmpty {
            json["error"] = .array(
                faults.sorted { $0.key < $1.key }.map { place, message in
                    ["index": .integer(Int64(place)), "message": .string(message)]
                })
        }
        return Answer.object(json)
    }

    /// Some of the rows, with their places.
    private static func read(
        _ rows: [Input], _ places: Range<Int>, _ hash: ImportHash?, _ directory: Directory
    ) throws -> (users: [(place: Int, user: ImportedUser)], faults: [Int: String]) {
        var users: [(place: Int, user: ImportedUser)] = []
        var faults: [Int: String] = [:]
        for place in places {
            do {
                let row = ImportRow(
                    row: rows[place], hash: hash, tenant: directory.tenantID, settings: directory.settings)
                users.append((place, try row.user()))
            } catch let fault as ImportRow.Fault {
                faults[place] = fault.message
            }
        }
        return (users, faults)
    }

    private static func requireDistinct(_ rows: [Input]) throws {
        try requireDistinct(rows, "email", "DUPLICATE_EMAIL") { $0.lowercased() }
        var seen: Set<[String]> = []
        for entry in try rows.flatMap({ try $0.objects("providerUserInfo") }) {
            guard let provider = try entry.given("providerId"), let rawID = try entry.given("rawId") else { continue }
            guard seen.insert([provider, rawID]).inserted else {
                throw WireError("DUPLICATE_RAW_ID", "Provider id(\(provider)), Raw id(\(rawID))")
            }
        }
    }

    private static func requireDistinct(
        _ rows: [Input], _ name: String, _ code: String, folded: (String) -> String = { $0 }
    ) throws(WireError) {
        var seen: Set<[UInt8]> = []
        for row in rows {
            guard let text = try row.given(name) else { continue }
            guard seen.insert(Array(folded(text).utf8)).inserted else { throw WireError(code, text) }
        }
    }

    private static func message(_ error: AuthError) -> String {
        let said = error.reason.map { ": " + $0 } ?? ""
        return switch (error.code, error.field) {
        case (.emailExists, _): "email exists in other account in database"
        case (.phoneExists, _): "phone number exists in other account in database"
        case (.conflict, "identities"): "raw id exists in other account in database"
        case (.conflict, _): "localId belongs to an existing account - can not overwrite."
        case (.tooManyFactors, _): "Second factor limit exceeded."
        case (.invalidRequest, "name"): "Second factor's display name is invalid."
        case (.factorExists, _), (.factorNameExists, _): "Second factor is given twice."
        case (.metadataTooLarge, _): "The user's data exceeds the maximum size."
        case (.changeRefused, _): "A rule of the database refuses the user."
        case (_, "password_hash"): "password hash is invalid" + said
        default: "user is invalid" + said
        }
    }
}
