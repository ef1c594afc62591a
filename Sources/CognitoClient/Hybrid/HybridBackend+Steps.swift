// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// What a hybrid sign-in leaves beside what the other backend keeps for itself: in the tokens of its sessions, and in
/// the tickets of its steps, whose sessions are hybrid ones too.
struct HybridMark: Sendable {
    private static let (identity, subject) = ("hybrid.identity", "hybrid.providerSubject")
    private static let (token, isNew) = ("hybrid.providerToken", "hybrid.isNew")

    private let texts: [String: String]
    /// Of a sign-in that is under way: whether its user is a new one. `nil` for what a session began.
    let isNewUser: Bool?

    init(id: String, _ login: HybridLogin, isNewUser: Bool? = nil) {
        texts = [
            Self.identity: id, Self.subject: login.subject, Self.token: login.token.reveal(),
            HybridLogin.signInName: login.signIn,
        ]
        self.isNewUser = isNewUser
    }

    /// - Parameter kept: attachments of tokens, or a step's ticket.
    /// - Returns: `nil` for what is of no hybrid sign-in.
    init?(in kept: Secret<[String: String]>) {
        let kept = kept.reveal()
        guard let id = kept[Self.identity], let subject = kept[Self.subject], let token = kept[Self.token] else {
            return nil
        }
        self.init(
            id: id,
            HybridLogin(
                signIn: kept[HybridLogin.signInName] ?? "of \(subject)", subject: subject, token: Secret(token)),
            isNewUser: kept[Self.isNew].map { $0 == "true" })
    }

    /// With the newest token of the same sign-in.
    func renewed(by login: HybridLogin) -> HybridMark {
        HybridMark(id: texts[Self.identity] ?? "", login, isNewUser: isNewUser)
    }

    func mark(_ grant: SessionGrant) -> SessionGrant {
        var grant = grant
        grant.tokens.attachments = Secret(grant.tokens.attachments.reveal().merging(texts) { $1 })
        return grant
    }

    func mark(_ step: AwaitedStep) -> AwaitedStep {
        var (step, texts) = (step, texts)
        texts[Self.isNew] = isNewUser.map { "\($0)" }
        step.ticket = Secret(step.ticket.reveal().merging(texts) { $1 })
        return step
    }
}

extension HybridBackend {
    /// What the backend that opens the sessions awaits, such as a second factor. Credentials are had once the session
    /// counts.
    public func answer(_ step: AwaitedStep, with answer: StepAnswer) async throws(AuthError) -> SignInStep {
        guard let session else { throw AuthError(.unsupported, reason: "nothing is awaited in a hybrid sign-in") }
        let next = try await session.answer(step, with: answer)
        guard let mark = HybridMark(in: step.ticket) else { return next }
        switch next {
        case .awaiting(let next): return .awaiting(mark.mark(next))
        case .session(let grant):
            if let isNew = mark.isNewUser { record(.signedIn(new: isNew)) }
            return .session(mark.mark(grant))
        }
    }
}
