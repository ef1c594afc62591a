// SPDX-License-Identifier: Apache-2.0

/// Work over a database that is one process's at a time, so that the others need not do it as well. It spares work and
/// protects nothing: two that do it at once, for the moment in which one has lost its connection and does not know, do
/// no harm.
package enum StoreDuty: String, Sendable, CaseIterable {
    /// Deleting what has had its time, and telling whoever waited for it.
    case upkeep
    /// Asking identity providers whether their grants still stand.
    case grantChecks = "grant_checks"
    /// Taking over the accounts of another server's database.
    case takeOver = "take_over"
}

/// Which process does what, of those that stand over one database.
package protocol StoreDuties: Sendable {
    /// Whether the duty is this process's: it is from the first time that nobody else has it, until ``release()`` or
    /// until it has lost its connection, by which the next that asks has it. Not where the database can't be reached.
    func isOurs(_ duty: StoreDuty) async -> Bool

    /// Gives everything up.
    func release()
}

/// Those of a database that one process has by itself.
package struct SoleDuties: StoreDuties {
    package init() {}
    package func isOurs(_: StoreDuty) async -> Bool { true }
    package func release() {}
}
