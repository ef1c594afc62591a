// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension SessionService {
    /// In this order: memory and ``state``, the store, the companions, the providers' kits, the listeners, who waits
    /// for a token, the service (G-13, H-5). Returns when the service has answered or two seconds later; what it did
    /// not hear is told again in the background, as long as the app lives. With the scope `others` this session goes
    /// on. Where the service can't end every session it is asked to end this one, and `report` gets
    /// ``SessionProblem/notEnded(_:_:)``.
    ///
    /// What is begun is noted in the store first: a process that dies in the midst of it leaves the rest to the next
    /// one's ``restore()``, and the session is over all the same.
    public func signOut(_ options: SignOutOptions) async {
        guard options.scope != .others else { return await signOutOthers() }
        core.withLock { $0.step = nil }
        await settle(.signOutRequested(options))
        guard let asked = core.withLock({ $0.revocation }) else { return }
        await patiently(for: Self.hearing) { await asked.value }
    }

    private func signOutOthers() async {
        let asked: Task<Void, Never>
        do throws(AuthError) {
            // Of who has asked for it, and of nobody who comes meanwhile.
            asked = try await ask { session throws(AuthError) in self.revoke(session.tokens, .others) }
        } catch { return report(.notEnded(.others, error.code)) }
        await patiently { await asked.value }
    }

    func signOutOfProviders() async {
        for provider in providers { await patiently { await provider.signOut() } }
        await noteAskingAgain()
    }

    /// What a process that died while its user left could not clear any more. Where somebody has signed in since, it
    /// was cleared before that.
    func finish(_ leaving: Leaving) async {
        let isFollowed: Bool
        do throws(SecureStoreError) { isFollowed = try await !store.leave(leaving) } catch {
            // It is tried again at the next start; until then nobody takes the session for one that holds.
            return
        }
        if !isFollowed {
            await clearLocalData(leaving.options, of: leaving.subject)
            await signOutOfProviders()
            // Who has not come to an end with it is told again, and the note goes with that.
            guard core.withLock({ $0.machine.tellings.isEmpty }) else {
                return core.withLock { $0.leaving = leaving }
            }
        }
        try? await store.endLeaving()
    }
}
