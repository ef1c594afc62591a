// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// Carries out what links ask, one after the other, whether the app was running or is just starting (G-12.5).
public actor DeepLinks {
    private let router: DeepLinkRouter
    private let service: any AuthenticationService
    private let pending: PendingDeepLink
    private let support: String?
    private let report: @Sendable (RedactedLink, AuthErrorCode) -> Void
    private let order = ChangeOrder()
    /// For a store that does not take it: until the process ends.
    private var unkept: (path: AllowedPath, subject: String?)?
    /// Whose session was the last that was seen.
    private var lastSubject: String?

    /// - Parameters:
    ///   - report: gets each link that failed, without what it opens. ``ConsentGate`` sends it on where the user lets
    ///     it (G-12.7).
    public init(
        router: DeepLinkRouter, service: any AuthenticationService, pending: PendingDeepLink, support: String? = nil,
        report: @escaping @Sendable (RedactedLink, AuthErrorCode) -> Void = { _, _ in }
    ) {
        self.router = router
        self.service = service
        self.pending = pending
        self.support = support
        self.report = report
    }

    /// - Parameter replacingSession: whether the user, being signed in, said that the link may sign them in anew.
    ///   Anybody can send a link that opens the sender's own account.
    public func open(_ link: String, replacingSession: Bool = false) async -> DeepLinkOutcome {
        await order.run { await self.carryOut(link, replacingSession) }
    }

    private func carryOut(_ link: String, _ replacingSession: Bool) async -> DeepLinkOutcome {
        do {
            let route = try router.route(link)
            return try await open(route, in: await settledState(), replacingSession: replacingSession)
        } catch {
            report(RedactedLink(link), error.code)
            return .failed(ErrorPresentation(error, support: support))
        }
    }

    /// Where a link wanted to lead before the sign-in that has just succeeded. Once.
    public func afterSignIn() async -> AllowedPath? {
        guard let user = service.state.knownUser else { return nil }
        lastSubject = user.subject
        let kept = await pending.take(for: user.subject)
        defer { unkept = nil }
        if let unkept, Subject.isSame(unkept.subject ?? user.subject, user.subject) { return kept ?? unkept.path }
        return kept
    }

    /// Follows the session as long as the task lives: who signs out takes their pending link along, and the next user
    /// does not find it.
    public func follow() async {
        for await state in service.states() {
            if let user = state.knownUser {
                lastSubject = user.subject
            } else if case .signedOut(let reason) = state, lastSubject != nil, reason != .sessionExpired {
                lastSubject = nil
                unkept = nil
                await pending.forget()
            }
        }
    }

    private func open(
        _ link: DeepLink, in state: AuthState, replacingSession: Bool
    ) async throws(AuthError) -> DeepLinkOutcome {
        switch link {
        case .path(let path):
            let isOpen = router.open.path(path.rawValue) != nil
            if isOpen || state.allowsProtectedPlaces { return .show(path) }
            await keep(path, for: state.knownUser?.subject ?? lastSubject)
            return .signInFirst
        case .verification(let hash, let kind, let path):
            guard replacingSession || Self.mayConfirm(kind, in: state) else { return .wouldReplaceSession }
            let proof = SignInProof.link(tokenHash: hash, kind: kind)
            do {
                // Whoever is there confirms their own address and nobody else's: anybody can send a link of their own
                // account.
                let result =
                    if let user = state.knownUser, !replacingSession {
                        try await service.signIn(with: proof, as: user.subject)
                    } else {
                        try await service.signIn(with: proof)
                    }
                if case .awaiting(let step) = result { return .awaits(step, then: path) }
            } catch  where error.code == .reauthenticationInvalid {
                return .wouldReplaceSession
            }
            return .confirmed(message: UserMessage(.emailVerified), then: path)
        case .recovery(let hash, let path):
            guard replacingSession || state.knownUser == nil else { return .wouldReplaceSession }
            do {
                if case .awaiting(let step) = try await service.signIn(with: .link(tokenHash: hash, kind: "recovery")) {
                    return .awaits(step, then: path)
                }
                return .chooseNewPassword(proof: nil, then: path)
            } catch  where error.code == .unsupported {
                // A service that takes the token with the new password, and gives no session before.
                return .chooseNewPassword(proof: hash, then: path)
            }
        case .callback(let url):
            return .signedIn(try await service.signIn(with: .callback(url: url)))
        }
    }

    /// Whoever is signed in and is to confirm their address opens the link for that (G-4.5); everyone else who is
    /// signed in is asked.
    private static func mayConfirm(_ kind: String, in state: AuthState) -> Bool {
        guard let user = state.knownUser else { return true }
        return user.emailVerified == false && (kind == "signup" || kind == "email")
    }

    private func keep(_ path: AllowedPath, for subject: String?) async {
        do {
            try await pending.keep(path, for: subject)
            unkept = nil
        } catch {
            unkept = (path, subject)
        }
    }

    /// The state once what is kept on the device is known: a link may be what started the app (G-14.4).
    private func settledState() async -> AuthState {
        guard case .restoring = service.state else { return service.state }
        for await state in service.states() {
            if case .restoring = state { continue }
            return state
        }
        return service.state
    }
}
