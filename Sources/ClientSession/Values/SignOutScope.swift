// SPDX-License-Identifier: Apache-2.0

/// Which of the user's sessions a sign-out ends.
public enum SignOutScope: String, Sendable, CaseIterable {
    /// This one.
    case local
    /// All but this one.
    case others
    /// Every one.
    case global
}
