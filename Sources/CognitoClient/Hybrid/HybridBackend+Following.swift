// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

extension HybridBackend: SessionFollowing {
    /// Credentials are those of whose session counts, from the first moment of a process on, and after another process
    /// has signed somebody in or out (H-6). What the kit keeps is no session's end.
    public func sessionBecame(_ tokens: TokenSet?) async {
        let next = tokens.flatMap { HybridLogin(of: $0) }
        if let offer = memory.withLock({ $0.follow(next) }) {
            await credentials.forget()
            if let offer {
                await credentials.keep(
                    offer.credentials, living: offer.lifetime, since: await credentials.generation)
            }
        }
        await (session as? any SessionFollowing)?.sessionBecame(tokens)
    }

    /// The kit forgets who it was, without any page, and the credentials go, as does the user's token that waits in the
    /// queue (H-5, Y-US5): the next sign-in synchronizes them. Nothing here needs a network. Only what is still of that
    /// very sign-in goes: a service says it late, and again where nobody heard.
    public func revoke(_ tokens: TokenSet, scope: SignOutScope) async throws(AuthError) {
        guard let gone = HybridLogin(of: tokens) else { return }
        if scope != .others {
            let leftover = memory.withLock { $0.release(gone) }
            if leftover.isInKit { await native.signOut() }
            if leftover.isInCredentials { await credentials.forget() }
            if leftover.isInQueue { await queue.forget(gone.subject) }
            if leftover.isInKit { record(.signedOut) }
        }
        guard let session else {
            guard scope == .local else {
                throw AuthError(.unsupported, reason: "an identity pool keeps no sessions that could be ended")
            }
            return
        }
        try await session.revoke(tokens, scope: scope)
    }

    /// The token by which credentials are had, renewed by the kit where it is over, or where it was refused: the
    /// device's clock may be wrong. The session does not wait for it.
    static func liveToken(
        _ memory: Guarded<HybridMemory>, _ native: any NativeIdentityProvider, now: Instant, refused: Bool
    ) async throws(AuthError) -> Secret<String> {
        guard let login = memory.value.present else { throw AuthError(.notSignedIn) }
        guard let end = (try? IDTokenClaims(reading: login.token))?.expiresAt, refused || end - now <= .minutes(1),
            let newer = await renewed(memory, native, of: login.subject)
        else { return login.token }
        return newer.idToken
    }

    /// A new token of the kit's for whoever is signed in, where it renews tokens, and as long as it is that user's.
    static func renewed(
        _ memory: Guarded<HybridMemory>, _ native: any NativeIdentityProvider, of subject: String
    ) async -> ProviderIdentity? {
        let (found, begun) = memory.withLock { ($0.present, $0.generation) }
        guard let login = found, Subject.isSame(login.subject, subject),
            let renewable = native as? any RenewableIdentityProvider, let identity = try? await renewable.renew(),
            let claims = try? IDTokenClaims(reading: identity.idToken), Subject.isSame(claims.subject, subject)
        else { return nil }
        let newer = HybridLogin(signIn: login.signIn, subject: subject, token: identity.idToken)
        memory.withLock { $0.renew(newer, since: begun) }
        return identity
    }
}
