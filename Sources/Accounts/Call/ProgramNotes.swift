// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a client hands on through this server to the operator's programs that a call asks (ADR 0071). It is kept
/// nowhere, and whoever called says it: nothing here believes any of it.
public struct ProgramNotes: Sendable {
    /// For whatever the call asks.
    public var metadata: JSONObject?
    /// For who judges whether somebody may sign up or in.
    public var validation: JSONObject?

    public init(metadata: JSONObject? = nil, validation: JSONObject? = nil) {
        self.metadata = metadata
        self.validation = validation
    }
}
