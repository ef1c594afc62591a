// SPDX-License-Identifier: Apache-2.0

/// When a dialect's clients are asked for a second factor: their vendors differ.
public enum FactorPolicy: Sendable {
    /// Before there is a session: the sign-in has one step more.
    case beforeSession
    /// After it: a session begins at `aal1`, may do little (``AssuranceRule``), and is raised by ``StepUp``. Whoever is
    /// raised ends the user's other sessions that were not.
    case stepUp
}
