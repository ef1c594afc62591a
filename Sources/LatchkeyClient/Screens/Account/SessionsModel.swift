// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Observation

/// The devices that are signed in (G-6.2 to G-6.6): this one first, then the ones used last.
@Observable @MainActor
public final class SessionsModel: AccountScreen {
    /// This device's first.
    public private(set) var sessions: [DeviceSession] = []

    @ObservationIgnored private let source: any DeviceSessions

    /// Nothing is loaded yet.
    ///
    /// - Parameter service: whose user's devices they are: another user is shown none of them. `nil` where the app
    ///   makes a model for each user.
    public init(
        source: any DeviceSessions, service: (any AuthenticationService)? = nil, support: String? = nil
    ) {
        self.source = source
        super.init(of: service, support: support)
    }

    /// Whether there are others, and nothing is under way.
    public var canRevokeOthers: Bool { sessions.contains { !$0.isCurrent } && !isInProgress }

    /// Reads the list anew. What is shown stays where it fails.
    public func load() async {
        meet()
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

    /// Ends all but this device's.
    public func revokeOthers() async {
        guard canRevokeOthers else { return }
        let source = source
        let done = await perform { () async throws(AuthError) in try await source.revokeOthers() }
        if done { sessions.removeAll { !$0.isCurrent } }
    }

    override func forget() { sessions = [] }

    private func show(_ found: [DeviceSession]) {
        sessions = found.sorted { first, second in
            if first.isCurrent != second.isCurrent { return first.isCurrent }
            return (first.lastUsed?.microseconds ?? .min) > (second.lastUsed?.microseconds ?? .min)
        }
    }
}
