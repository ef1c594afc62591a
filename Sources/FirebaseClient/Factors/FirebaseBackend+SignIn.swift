// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

// `v2/accounts/mfaSignIn`: the second step of a sign-in.
extension FirebaseBackend {
    /// An authenticator app first: its code costs nobody a message. A number's code is sent at once where there is no
    /// app.
    func secondFactor(
        among factors: [FirebaseFactor], _ pending: PendingFactor, _ identifier: String?
    ) async throws(AuthError) -> AwaitedStep {
        guard let first = factors.first(where: { $0.kind == .authenticator }) ?? factors.first else {
            throw AuthError(.insufficientAssurance, reason: "a second factor that this library can't ask for")
        }
        return try await ask(first.choice, among: factors.map(\.choice), pending, identifier)
    }

    private func ask(
        _ factor: FactorChoice, among all: [FactorChoice], _ pending: PendingFactor, _ identifier: String?
    ) async throws(AuthError) -> AwaitedStep {
        let isPhone = factor.kind == .phone
        var session: String?
        if isPhone {
            let sent = try await service.ask(
                "accounts/mfaSignIn:start",
                [
                    "mfaPendingCredential": pending.credential, "mfaEnrollmentId": .string(factor.id),
                    "phoneSignInInfo": [:],
                ], version: "v2")
            session = sent.members["phoneResponseInfo"]?.objectValue?["sessionInfo"]?.stringValue
            guard session != nil else { throw AuthError(.unavailable, reason: "the service sent no code") }
        }
        return AwaitedStep(
            kind: isPhone ? .code : .oneTimePassword, identifier: identifier, destination: factor.destination,
            choices: all.filter { $0.id != factor.id }, lifetime: Self.pendingLifetime,
            ticket: pending.ticket(for: factor.id, session: session))
    }

    /// The service does not say how long what it gave lives; nobody goes on with it after five minutes.
    private static let pendingLifetime = TimeSpan.minutes(5)

    /// The code of the factor that was asked for, or the choice of another.
    func answerFactor(_ step: AwaitedStep, with answer: StepAnswer) async throws(AuthError) -> SignInStep {
        let pending = PendingFactor(step.ticket)
        switch (step.kind, answer) {
        case (_, .choice(let id)):
            guard let chosen = step.choices.first(where: { $0.id == id }) else { throw Self.otherAnswer }
            let former = FactorChoice(
                id: pending.factor, kind: step.kind == .code ? .phone : .authenticator, destination: step.destination)
            return .awaiting(
                try await ask(chosen, among: [former] + step.choices, pending, step.identifier))
        case (.oneTimePassword, .code(let code)):
            return try await finish(
                pending, ["totpVerificationInfo": ["verificationCode": .string(code.reveal())]])
        case (.code, .code(let code)):
            return try await finish(
                pending,
                [
                    "phoneVerificationInfo": [
                        "sessionInfo": .string(pending.session ?? ""), "code": .string(code.reveal()),
                    ]
                ])
        default: throw Self.otherAnswer
        }
    }

    private func finish(_ pending: PendingFactor, _ proof: JSONObject) async throws(AuthError) -> SignInStep {
        let shown: JSONObject = [
            "mfaPendingCredential": pending.credential, "mfaEnrollmentId": .string(pending.factor),
        ]
        let grant = try await service.ask("accounts/mfaSignIn:finalize", shown.merging(proof), version: "v2").session()
        return .session(try await linked(pending.linked, to: grant))
    }

    private static var otherAnswer: AuthError { AuthError(.invalidRequest, reason: "the step wants another answer") }
}
