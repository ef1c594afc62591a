// SPDX-License-Identifier: Apache-2.0

/// What follows a proof: a session, or something the user has to do first.
public enum SignInStep: Sendable {
    case session(SessionGrant)
    case awaiting(AwaitedStep)
}
