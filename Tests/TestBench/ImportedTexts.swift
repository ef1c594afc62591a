// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

extension UserImport {
    /// As ``run(into:at:by:next:fault:progress:)``, of lines that are texts.
    public func run(
        into directory: Directory, at now: Instant, by actor: AuditEvent.Actor = .commandLine,
        nextLine: () async throws -> String?, fault: (Fault) async -> Void = { _ in },
        progress: (Summary) async -> Void = { _ in }
    ) async throws -> Summary {
        try await run(
            into: directory, at: now, by: actor, next: { try await nextLine().map(Line.text) }, fault: fault,
            progress: progress)
    }
}
