// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Observation

/// The dialog that has everything mailed that is held about the user (G-10). One for each user: what was sent to one is
/// no news of another's.
@Observable @MainActor
public final class ExportModel: Screen {
    /// Until when the mailed link works. `nil` before, and where the service does not say.
    public private(set) var linkLivesUntil: Instant?
    /// The link is on its way.
    public private(set) var isSent = false

    @ObservationIgnored private let account: any AccountLife

    /// - Parameter account: where it is asked for.
    public init(account: any AccountLife, support: String? = nil) {
        self.account = account
        super.init(support: support)
    }

    /// What the dialog says.
    public var message: UserMessage { UserMessage(isSent ? .exportSent : .exportLead) }

    /// Asks for it. Where the service wants to know first who is asking, the error says so: `reauthentication_needed`,
    /// `insufficient_assurance`.
    public func request() async {
        guard !isSent else { return }
        let account = account
        let sent = await run { () async throws(AuthError) in Sent(until: try await account.requestExport()) }
        guard let sent else { return }
        (linkLivesUntil, isSent) = (sent.until, true)
    }

    /// What was sent was sent to who has left: the next user asks anew.
    override public func leave() {
        (linkLivesUntil, isSent) = (nil, false)
        super.leave()
    }

    private struct Sent: Sendable { var until: Instant? }
}
