// SPDX-License-Identifier: Apache-2.0

import AccountStoreConformance
import Testing

@testable import AccountStore

/// As ``QueryPlanTests``, of whatever the conformance suite has a store say.
@Suite("Query plans of the conformance suite", .timeLimit(.minutes(10)))
struct ConformancePlanTests {
    /// Walks that end with their limit or are of what an operator has made, one by one.
    private static let walks = [
        "directories", "erasures", "outbox_created", "users_password_form", "data_keys",
        "users_deleted",
        // As few as wait.
        "users_deletion_waiting",
    ]
    /// What there is as much of as there are users, or more.
    private static let large = [
        "users", "identities", "sessions", "sign_up_attempts", "one_time_tokens", "authorization_codes", "audit_events",
        "pending_authorizations", "device_authorizations", "consents",
        "group_members", "profiles", "activities", "factors", "factor_challenges", "backup_codes", "backup_code_sets",
        "factor_recoveries",
        "remembered_devices",
    ]

    @Test(
        "R9.15 no statement of the conformance suite outside of scans walks through a table or a Directory",
        arguments: StoreConformance.cases)
    func everyStatement(_ conformance: ConformanceCase) async throws {
        try await withStore { store in
            let planned = PlannedStore(store)
            try await conformance.run(on: planned)
            for plan in planned.plans {
                for step in plan.steps where !Self.walks.contains(where: step.contains) {
                    #expect(!step.hasPrefix("SCAN ") || step == "SCAN CONSTANT ROW", "\(plan)")
                    // A range within the Directory, and nothing that it must equal.
                    let isWalk = step.contains(/\(directory_id=\?( AND \w+[<>]\?)*\)$/)
                    let isLarge = Self.large.contains { step.hasPrefix("SEARCH \($0) ") }
                    #expect(!(plan.statement.hasPrefix("SELECT") && isWalk && isLarge), "\(plan)")
                }
            }
        }
    }
}
