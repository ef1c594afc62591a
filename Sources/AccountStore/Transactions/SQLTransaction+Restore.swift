// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    func takeBack(
        _ kind: IssuedKind, after last: [String]?, limit: Int, validSince: Instant, at now: Instant
    ) throws -> RestoreTurn {
        let rows = IssuedRows(kind, validSince: validSince, at: now)
        let places = "(" + rows.key.map { _ in "?" }.joined(separator: ", ") + ")"
        let keys = "(" + rows.key.joined(separator: ", ") + ")"
        let start = (last ?? rows.key.map { _ in "" }).map { SQLValue($0) }
        // By the key, through all that there is: what has been taken back is passed over and not looked through again
        // by each turn.
        let found = try connection.query(
            """
            SELECT directory_id, CASE WHEN \(rows.condition) THEN 1 ELSE 0 END, \(rows.key.joined(separator: ", "))
            FROM \(rows.table) WHERE \(keys) > \(places) ORDER BY \(rows.key.joined(separator: ", ")) LIMIT ?
            """, rows.conditionArguments + start + [SQLValue(limit)]
        ) { row -> (directory: DirectoryID, isIssued: Bool, key: [String]) in
            (
                try row.identifier(0), try row.integer(1) == 1,
                try rows.key.indices.map { try row.text($0 + 2) }
            )
        }
        guard let end = found.last?.key else { return RestoreTurn() }
        var turn = RestoreTurn(last: found.count < limit ? nil : end)
        let issued = found.filter(\.isIssued)
        guard !issued.isEmpty else { return turn }
        for row in issued { turn.taken[row.directory] = (turn.taken[row.directory] ?? RestoreAftermath()) + rows.each }
        _ = try execute(
            "\(rows.change) WHERE \(keys) > \(places) AND \(keys) <= \(places) AND (\(rows.condition))",
            rows.changeArguments + start + end.map { SQLValue($0) } + rows.conditionArguments)
        return turn
    }
}

/// Where rows of a kind are, which of them hold, and what is done to those.
private struct IssuedRows {
    let table: String
    var key = ["id"]
    /// Of those that hold; all of them, where it is not said.
    var condition = "1 = 1"
    var conditionArguments: [SQLValue] = []
    /// A statement without its condition.
    let change: String
    var changeArguments: [SQLValue] = []
    /// As what one of them counts.
    var each = RestoreAftermath()

    init(_ kind: IssuedKind, validSince: Instant, at now: Instant) {
        switch kind {
        case .sessions:
            (table, change) = ("sessions", "UPDATE sessions SET revoked_at = ?, revocation = ?")
            changeArguments = [SQLValue(now), SQLValue(SessionRevocation.restored.rawValue)]
            (condition, each.sessions) = ("revoked_at IS NULL", 1)
        case .tokens:
            (table, key) = ("users", ["directory_id", "id"])
            change = "UPDATE users SET tokens_valid_since = ?, version = version + 1"
            changeArguments = [SQLValue(validSince)]
            condition = "tokens_valid_since IS NULL OR tokens_valid_since < ?"
            conditionArguments = [SQLValue(validSince)]
        case .oneTimeTokens:
            (table, change) = ("one_time_tokens", "DELETE FROM one_time_tokens")
            each.proofs = 1
        case .factorRecoveries:
            (table, change) = ("factor_recoveries", "DELETE FROM factor_recoveries")
            key = ["directory_id", "user_id"]
        case .authorizationCodes:
            (table, change) = ("authorization_codes", "DELETE FROM authorization_codes")
            each.proofs = 1
        case .pendingAuthorizations:
            (table, change) = ("pending_authorizations", "DELETE FROM pending_authorizations")
        case .deviceAuthorizations:
            (table, change) = ("device_authorizations", "DELETE FROM device_authorizations")
        case .pendingFederations:
            (table, change) = ("pending_federations", "DELETE FROM pending_federations")
        case .messages:
            (table, change) = ("outbox", "DELETE FROM outbox")
            (condition, each.messages) = ("state = 'pending'", 1)
        }
    }
}
