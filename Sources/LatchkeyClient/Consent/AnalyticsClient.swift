// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Takes note of what is done in an app.
public protocol AnalyticsClient: Sendable {
    /// Takes it and returns at once: nobody ever waits for telemetry (F34).
    func log(_ event: AnalyticsEvent)
    /// Sends nothing any more, and forgets what has not been sent. Returns at once.
    func shutdown()
}

/// Something that was done, without saying by whom.
public struct AnalyticsEvent: Sendable, Hashable {
    /// `auth.sign_in`.
    public var name: String
    /// What goes with it. Redacted before it leaves.
    public var properties: JSONObject

    /// An event of that name.
    public init(_ name: String, _ properties: JSONObject = [:]) {
        self.name = name
        self.properties = properties
    }
}

/// What there is without consent (G-11.2).
public struct NoopAnalytics: AnalyticsClient {
    /// Sends nothing.
    public init() {}
    public func log(_ event: AnalyticsEvent) {}
    public func shutdown() {}
}
