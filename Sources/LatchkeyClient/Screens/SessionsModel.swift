// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Observation

/// The devices that are signed in (G-6.2 to G-6.6): this one first, then the ones used last.
@Observable @MainActor
public final class SessionsModel: Screen {
    public private(set) var sessions: [DeviceSession] = []

    @ObservationIgnored private let source: any DeviceSessions

    public init(source: any DeviceSessions, support: String? = nil) {
        self.source = source
        super.init(support: support)
    }

    public var canRevokeOthers: Bool { sessions.contains { !$0.isCurrent } && !isInProgress }

    public func load() async {
        let source = source
        if let found = await run({ () async throws(AuthError) in try await source.list() }) { show(found) }
    }

    /// Ends one. This device's own is ended by signing out.
    public func revoke(_ session: DeviceSession) async {
        guard !session.isCurrent else { return }
        let source = source
        let done = await perform { () async throws(AuthError) in try await source.revoke(session.id) }
        if done { sessions.removeAll { $0.id == session.id } }
    }

    public func revokeOthers() async {
        guard canRevokeOthers else { return }
        let source = source
        let done = await perform { () async throws(AuthError) in try await source.revokeOthers() }
        if done { sessions.removeAll { !$0.isCurrent } }
    }

    private func show(_ found: [DeviceSession]) {
        sessions = found.sorted { first, second in
            if first.isCurrent != second.isCurrent { return first.isCurrent }
            return (first.lastUsed?.microseconds ?? .min) > (second.lastUsed?.microseconds ?? .min)
        }
    }
}
