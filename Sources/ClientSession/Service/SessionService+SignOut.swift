// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension SessionService {
    /// In this order: memory and ``state``, the store, the companions, the providers' kits, the listeners, the service (G-13,
    /// H-5). Returns when the service has answered or five seconds later; what it did not hear is told again in the
    /// background, as long as the app lives. With the scope `others` this session goes on.
    public func signOut(_ options: SignOutOptions) async {
        guard options.scope != .others else { return await signOutOthers() }
        let (stream, asked) = AsyncStream<Void>.makeStream()
        core.withLock { core in
            core.step = nil
            core.asked = asked
        }
        await settle(.signOutRequested(options))
        let unasked = core.withLock { core in
            defer { core.asked = nil }
            return core.asked
        }
        // Nobody was signed in: there is nothing to ask for.
        unasked?.finish()
        await patiently { for await _ in stream {} }
    }

    private func signOutOthers() async {
        guard (try? await accessToken()) != nil,
            let tokens = core.withLock({ $0.machine.phase.session?.tokens })
        else { return }
        let asked = revoke(tokens, .others)
        await patiently { await asked.value }
    }
}
