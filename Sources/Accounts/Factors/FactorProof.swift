// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What somebody shows to prove a second factor.
public enum FactorProof: Sendable {
    /// A code that an authenticator app shows, or that was sent.
    ///
    /// - challenge: what was asked (``ChallengeFactor``). A code that was sent is of the newest that was asked of the
    ///   factor where this is `nil`; an app's needs none.
    case code(String, of: FactorID, challenge: FactorChallengeID?)
    /// What an authenticator has answered to a challenge (``ChallengeFactor``): `AuthenticationResponseJSON`, or for a
    /// factor that is being set up `RegistrationResponseJSON` (Web Authentication Level 3, sections 5.1.8 and 5.1.9).
    case webAuthn(JSONObject, of: FactorID, challenge: FactorChallengeID)
    /// A code of the user's authenticator app, for protocols in which a user has one: any of theirs will do, and one
    /// that is proved for the first time takes the place of the others.
    ///
    /// - named: what one is called from then on that is proved for the first time; `nil` leaves it.
    case app(String, named: String?)
    /// One of the codes that the user has kept (``MakeBackupCodes``).
    case backupCode(String)

    /// Of which factor it is said to be; `nil` where it says of none.
    var factor: FactorID? {
        switch self {
        case .code(_, let id, _), .webAuthn(_, let id, _): id
        case .app, .backupCode: nil
        }
    }

    /// What is judged of it before the transaction that takes it begins: a credential that an authenticator has made.
    func judged(
        in holder: FactorHolder, _ call: CallContext, _ store: any AccountStoring
    ) async throws -> RegistrationJudgement? {
        guard case .webAuthn(let answer, _, let challenge) = self else { return nil }
        return try await RegistrationJudgement(answer, to: challenge, in: holder.name, call, store)
    }

    /// Whether somebody might find it by trying: not one of 80 bits (NIST SP 800-63B-4, section 3.1.2.2, which limits
    /// the attempts at those of less than 64).
    var isGuessable: Bool {
        switch self {
        case .code, .app: true
        case .webAuthn, .backupCode: false
        }
    }
}

/// A second factor that was proved.
public struct ProvedFactor: Sendable {
    /// As now stored; `nil` for a backup code.
    public var factor: Factor?
    public var method: AuthenticationMethod
    /// Whether it was proved for the first time, by which it counts from now on.
    public var isNew: Bool
    /// All of the user's as now stored, where the proof had them read; `nil` where it had not, or changed another one.
    var factors: [Factor]?
}

/// In what somebody is asked for a factor: a challenge that was made in one is answered in no other.
enum FactorHolder: Sendable {
    case session(SessionID)
    case ticket(SignInTicket)

    /// What was shown in it before.
    func methods(_ step: FlowStep) throws -> [AuthenticationMethod] {
        switch self {
        case .session(let id): try step.tx.session(id, in: step.directory)?.methods ?? []
        case .ticket(let ticket): ticket.methods
        }
    }

    var name: String {
        switch self {
        case .session(let id): "session " + id.rawValue
        case .ticket(let ticket): "ticket " + Hex.encode(ticket.nonce)
        }
    }
}
