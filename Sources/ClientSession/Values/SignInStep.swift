// SPDX-License-Identifier: Apache-2.0

/// What follows a proof: a session, or something the user has to do first.
public enum SignInStep: Sendable {
    /// Signed in.
    case session(SessionGrant)
    /// The service wants something of the user first.
    case awaiting(AwaitedStep)
}
