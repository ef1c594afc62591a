// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A program of the operator's that is told of what has happened to the accounts of one Directory.
public struct EventSubscription: Sendable {
    /// What the operator calls it; stored with what is owed to it.
    public var name: String
    /// The Directory's name.
    public var directory: String
    /// What it is told of; `nil` for everything.
    public var events: Set<AccountEvent>?
    let secrets: [WebhookSecret]
    let caller: any HookCalling

    /// - Parameter secrets: each signs.
    public init(
        name: String, directory: String, events: Set<AccountEvent>? = nil, secrets: [WebhookSecret],
        caller: any HookCalling
    ) {
        self.name = name
        self.directory = directory
        self.events = events
        self.secrets = secrets
        self.caller = caller
    }
}
