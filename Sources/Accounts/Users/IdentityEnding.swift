// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Takes identities away, whoever says so: one rule.
struct IdentityEnding {
    private let step: FlowStep

    init(_ step: FlowStep) {
        self.step = step
    }

    /// The caller writes the user.
    ///
    /// - Parameter spared: the session in which the user asks for it.
    func unlink(_ identity: Identity, from user: inout User, except spared: SessionID?) throws {
        try AccountEnding(step).end(identity)
        let left = try LocalIdentities.all(of: user, step.tx)
        user.name(providers: left.map(\.provider))
        user.updatedAt = step.now
        try endSessions(of: user, by: identity.provider, except: spared)
        try step.record(.identityUnlinked, user, details: ["provider": .string(identity.provider)])
        try OwnerNotice(step).tellUnlinked(try label(of: identity.provider), from: user)
    }

    /// What people call the provider, also one that is configured no more.
    func label(of provider: String) throws -> String {
        let stored = try step.tx.identityProvider(named: provider, in: step.directory)
        let configured = stored ?? step.ports.standInProviders(step.directory).first { $0.name == provider }
        return configured?.label ?? provider
    }

    /// All that the provider's word has opened: which of a provider's identities it was nobody has written down. And
    /// what it would open yet: whoever has a code would come in after all of that has ended.
    private func endSessions(of user: User, by provider: String, except spared: SessionID?) throws {
        for session in try step.tx.sessions(of: user.id, in: step.directory)
        where session.id != spared && session.methods.contains(where: { $0.provider == provider }) {
            try SessionEnding(step).end(session.id, because: .identityRevoked)
        }
        try step.tx.deleteAuthorizationCodes(of: user.id, in: step.directory)
    }
}
