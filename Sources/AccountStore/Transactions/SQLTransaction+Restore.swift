// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    func takeBackEverything(
        in directory: DirectoryID, validSince: Instant, at now: Instant
    ) throws -> RestoreAftermath {
        // By their users: what a user has is found by the user, and no index of it begins with the Directory.
        let ofUsers = "user_id IN (SELECT id FROM users WHERE directory_id = ?) AND directory_id = ?"
        let sessions = try execute(
            "UPDATE sessions SET revoked_at = ?, revocation = ? WHERE \(ofUsers) AND revoked_at IS NULL",
            [
                SQLValue(now), SQLValue(SessionRevocation.restored.rawValue), SQLValue(directory), SQLValue(directory),
            ])
        _ = try execute(
            """
            UPDATE users SET tokens_valid_since = ?, version = version + 1
            WHERE directory_id = ? AND (tokens_valid_since IS NULL OR tokens_valid_since < ?)
            """, [SQLValue(validSince), SQLValue(directory), SQLValue(validSince)])
        let tokens = try execute(
            "DELETE FROM one_time_tokens WHERE \(ofUsers)", [SQLValue(directory), SQLValue(directory)])
        // The links that stop one went with the others.
        _ = try execute("DELETE FROM factor_recoveries WHERE directory_id = ?", [SQLValue(directory)])
        let codes = try execute(
            "DELETE FROM authorization_codes WHERE \(ofUsers)", [SQLValue(directory), SQLValue(directory)])
        _ = try execute("DELETE FROM pending_authorizations WHERE directory_id = ?", [SQLValue(directory)])
        _ = try execute("DELETE FROM device_authorizations WHERE directory_id = ?", [SQLValue(directory)])
        _ = try execute("DELETE FROM pending_federations WHERE directory_id = ?", [SQLValue(directory)])
        let messages = try execute(
            "DELETE FROM outbox WHERE directory_id = ? AND state = 'pending'", [SQLValue(directory)])
        return RestoreAftermath(sessions: sessions, proofs: tokens + codes, messages: messages)
    }
}
