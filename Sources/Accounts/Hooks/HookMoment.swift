// SPDX-License-Identifier: Apache-2.0

/// When a program of the operator's is asked: the same moments for every vendor's form, and for a call in whichever
/// dialect, so that nobody gets around one by another door. The exception is a token, which is its dialect's alone.
/// What has happened is told by ``AccountEvent``; three moments follow what has happened and are waited for all the
/// same, since the programs of vendors count on being done before the app goes on.
public enum HookMoment: String, Sendable, CaseIterable {
    /// Before there is an account. Also asked where the one who signs up is told of an account that exists as if there
    /// were none: who asks for a refusal must not find out.
    case signUp = "sign_up"
    /// Before there is a session: whatever was to be proved is.
    case signIn = "sign_in"
    /// Before a token is signed.
    case token
    /// When a password was compared, and before the answer.
    case passwordAttempt = "password_attempt"
    /// When a second factor was compared, and before the answer.
    case factorAttempt = "factor_attempt"
    /// In place of sending a mail.
    case mail
    /// In place of sending a text message.
    case text
    /// Once there is an account, confirmed or not, of somebody who signed up or was invited.
    case created
    /// Once the account of somebody who signed up is confirmed, or has a new password by a recovery.
    case confirmed
    /// Once there is a session, and before its tokens are given.
    case signedIn = "signed_in"
    /// Before a mail or a text message with a code is handed over: in which words.
    case wording
    /// When somebody signs in by a password, or has forgotten it, whom nobody here is called like.
    case migration
    /// In a sign-in by challenges of the operator's own: which is next, or whether it is enough.
    case challengeDefinition = "challenge_definition"
    /// What is asked.
    case challengeCreation = "challenge_creation"
    /// Whether the answer is right.
    case challengeAnswer = "challenge_answer"
}
