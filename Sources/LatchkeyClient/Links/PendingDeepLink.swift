// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// The place a link led to while nobody was signed in, kept until somebody is (G-12.4): once, not for long, and never
/// for another user than the one who was signed in when it was opened.
public struct PendingDeepLink: SessionCompanion {
    private let store: any SecureStore
    private let clock: any ClientClock
    private let allowed: RedirectAllowList
    private let lifetime: TimeSpan

    /// Keeps one place in that store, for `lifetime`.
    public init(
        store: any SecureStore, clock: any ClientClock, allowed: RedirectAllowList, lifetime: TimeSpan = .hours(1)
    ) {
        self.store = store
        self.clock = clock
        self.allowed = allowed
        self.lifetime = lifetime
    }

    /// - Parameter subject: whose session was the last on this device, where that is known.
    public func keep(_ path: AllowedPath, for subject: String?) async throws(SecureStoreError) {
        var object: JSONObject = ["path": .string(path.rawValue), "at": .integer(clock.now.seconds)]
        if let subject { object["subject"] = .string(subject) }
        try await store.write(object.serialized(), for: .pendingDeepLink)
    }

    /// The place, if there is one for this user. Gone afterwards in any case.
    public func take(for subject: String) async -> AllowedPath? {
        let kept: [UInt8]?
        do {
            kept = try await store.read(.pendingDeepLink)
            if kept != nil { try await store.remove(.pendingDeepLink) }
        } catch {
            // Not to be had now, or not to be got rid of: then it is not used, or it might be twice.
            return nil
        }
        guard let kept, let object = try? JSONObject(parsing: kept, limits: JSONLimits(depth: 2, bytes: 4096)),
            let path = object["path"]?.stringValue, let at = object["at"]?.integerValue
        else { return nil }
        let age = clock.now - Instant(seconds: at)
        // A clock that was set back makes nothing younger than new.
        guard age >= .minutes(-5), age < lifetime else { return nil }
        if let owner = object["subject"]?.stringValue, !Subject.isSame(owner, subject) { return nil }
        return allowed.path(path)
    }

    public func sessionEnded(_ options: SignOutOptions, of subject: String?) async { await forget() }

    /// Whoever signs out takes along where they wanted to go.
    public func forget() async {
        try? await store.remove(.pendingDeepLink)
    }
}
