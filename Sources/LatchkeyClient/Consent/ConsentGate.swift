// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// Starts, stops and swaps what sends something, by what the user agreed to. Without consent there is nothing that
/// could send: clients are made when they are allowed, and not before (G-11.3).
public final class ConsentGate: Sendable {
    private struct Inside {
        /// What holds.
        var consent = PrivacyConsent.none
        /// The user's last word, kept or not yet. `nil` where there was none since the start.
        var wanted: PrivacyConsent?
        var analytics: any AnalyticsClient = NoopAnalytics()
        var crashes: any CrashReporter = NoopCrashReporter()
        var listeners: [Int: AsyncStream<PrivacyConsent>.Continuation] = [:]
        var nextID = 0
    }

    private let inside = Guarded(Inside())
    private let store: any SecureStore
    private let changes = ChangeOrder()
    private let makeAnalytics: @Sendable (PrivacyConsent) -> any AnalyticsClient
    private let makeCrashes: @Sendable (PrivacyConsent) -> any CrashReporter

    /// - Parameters:
    ///   - analytics: makes what sends events, once the user has agreed to it.
    ///   - crashes: makes what reports errors, likewise. Both are made anew when it changes what may be in what they
    ///     send.
    public init(
        store: any SecureStore, analytics: @escaping @Sendable (PrivacyConsent) -> any AnalyticsClient,
        crashes: @escaping @Sendable (PrivacyConsent) -> any CrashReporter = { _ in NoopCrashReporter() }
    ) {
        self.store = store
        makeAnalytics = analytics
        makeCrashes = crashes
    }

    deinit {
        // Not under the lock: one that ends takes itself off the list.
        let listeners = inside.value.listeners
        for listener in listeners.values { listener.finish() }
    }

    /// What the user has agreed to, as it holds now.
    public var consent: PrivacyConsent { inside.value.consent }

    /// What the user agreed to before. What can't be read, or is of another version, is no consent.
    public func load() async {
        await changes.run { [self] in
            guard let kept = try? await store.read(.privacyConsent), let consent = PrivacyConsent(kept) else { return }
            // What the user has said meanwhile is newer.
            let isOld = inside.withLock { inside in
                if inside.wanted == nil { inside.wanted = consent }
                return inside.wanted != consent
            }
            if !isOld { apply(consent) }
        }
    }

    /// Takes a new decision. What is withdrawn stops before anything is waited for, a store that is slow among it; what
    /// is given begins when it is kept (G-11.4, G-11.8).
    ///
    /// - Throws: what the store says. What was withdrawn is off all the same, until the app is started again; what was
    ///   given is not on.
    public func set(_ new: PrivacyConsent) async throws(SecureStoreError) {
        try await change { $0 = new }
    }

    /// The same for a part of the user's last decision, which may still be on its way into the store.
    public func change(
        _ change: @Sendable (inout PrivacyConsent) -> Void
    ) async throws(SecureStoreError) {
        let new = inside.withLock { inside in
            var new = inside.wanted ?? inside.consent
            change(&new)
            inside.wanted = new
            return new
        }
        apply(nil)
        let outcome: Result<Void, SecureStoreError> = await changes.run { [self] in
            do throws(SecureStoreError) { try await store.write(new.serialized(), for: .privacyConsent) } catch {
                inside.withLock { inside in
                    if inside.wanted == new { inside.wanted = inside.consent }
                }
                return .failure(error)
            }
            apply(new)
            return .success(())
        }
        try outcome.get()
    }

    /// Each decision from now on, the one that holds first. Ends with the gate.
    public func decisions() -> AsyncStream<PrivacyConsent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PrivacyConsent.self, bufferingPolicy: .bufferingNewest(1))
        let id = inside.withLock { inside in
            inside.nextID += 1
            inside.listeners[inside.nextID] = continuation
            continuation.yield(inside.consent)
            return inside.nextID
        }
        continuation.onTermination = { [weak self] _ in self?.inside.withLock { $0.listeners[id] = nil } }
        return stream
    }

    /// Something that was done. Never waits.
    public func log(_ event: AnalyticsEvent) { inside.value.analytics.log(event) }

    /// An event of signing in and out: only with consent to telemetry too (G-11.2).
    public func logAuth(_ event: AnalyticsEvent) {
        let now = inside.value
        if now.consent.telemetry { now.analytics.log(event) }
    }

    /// Something that went wrong. Never waits.
    public func report(_ event: CrashEvent) { inside.value.crashes.report(event) }

    /// An error of a sign-in, as its code and what it said (G-15.6). Nobody's mistake is reported.
    public func report(_ error: AuthError, during action: String) {
        guard error.code != .cancelled, error.code != .superseded else { return }
        report(CrashEvent(error.code.rawValue, error.reason ?? "", tags: ["action": action]))
    }

    /// A link that failed (G-12.7): what ``DeepLinks`` reports to.
    public func report(_ link: RedactedLink, _ code: AuthErrorCode) {
        report(CrashEvent(code.rawValue, "link", level: .warning, extra: ["link": .string(link.description)]))
    }

    /// Brings what sends into line with `allowed`, or with what holds already, as far as the user's last word goes.
    private func apply(_ allowed: PrivacyConsent?) {
        while !isApplied(allowed) {}
    }

    /// - Returns: `false` where another decision came in between.
    private func isApplied(_ allowed: PrivacyConsent?) -> Bool {
        let (old, wanted) = inside.withLock { ($0.consent, $0.wanted) }
        let most = allowed ?? old
        let new = wanted?.both(most) ?? most
        guard new != old else { return true }
        // Whose rules for what may be in an event have changed is made anew. So is what holds events of signing in that
        // still wait, once they may not leave any more.
        let isSamePerson = new.personalizedData == old.personalizedData
        let maySendWhatWaits = isSamePerson && (new.telemetry || !old.telemetry)
        let keepsAnalytics = new.analytics == old.analytics && (maySendWhatWaits || !new.analytics)
        let keepsCrashes = new.crashReporting == old.crashReporting && (isSamePerson || !new.crashReporting)
        let analytics: (any AnalyticsClient)? =
            keepsAnalytics ? nil : new.analytics ? makeAnalytics(new) : NoopAnalytics()
        let crashes: (any CrashReporter)? =
            keepsCrashes ? nil : new.crashReporting ? makeCrashes(new) : NoopCrashReporter()
        let former: (any AnalyticsClient, any CrashReporter)? = inside.withLock { inside in
            guard inside.consent == old, inside.wanted == wanted else { return nil }
            defer {
                inside.consent = new
                if let analytics { inside.analytics = analytics }
                if let crashes { inside.crashes = crashes }
                // In the order in which they hold.
                for listener in inside.listeners.values { listener.yield(new) }
            }
            return (inside.analytics, inside.crashes)
        }
        guard let former else {
            analytics?.shutdown()
            crashes?.shutdown()
            return false
        }
        if analytics != nil { former.0.shutdown() }
        if crashes != nil { former.1.shutdown() }
        return true
    }
}
