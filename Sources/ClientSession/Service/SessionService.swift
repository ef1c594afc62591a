// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// An app's session with one service: it signs in, keeps the session on the device, renews it, and says where the app
/// stands.
///
/// Make one for the whole app and hand it to whatever needs it. Two on one store, in one process or two, share a
/// session.
///
/// It is the shell around `SessionMachine`, which decides: it asks the store, the service and the clock for what the
/// machine wants, one thing after the other, and tells it what came of it.
public final class SessionService: AuthenticationService {
    let backend: any IdentityBackend
    let store: SessionStore
    let clock: any ClientClock
    let random: any RandomSource
    let companions: [any SessionCompanion]
    let providers: [any NativeIdentityProvider]
    let report: @Sendable (SessionProblem) -> Void
    let core: Guarded<SessionCore>
    let storeCalls = StoreCalls()
    /// Of operations that may bring new tokens: the next one begins with what the one before brought.
    let operations = Turns()
    /// Held while one is being answered.
    let answers = Turns()

    /// Held while the companions hear that a session is ready: of the last one they hear last.
    let readying = Turns()

    /// How long a refresh may take as a whole, with waiting for another process to end its own.
    static let refreshDeadline = TimeSpan.seconds(90)
    /// How long one companion or provider may hold up a sign-out.
    static let patience = TimeSpan.seconds(5)
    /// How long a sign-out waits for the service's answer. The device has forgotten the session by then, and the
    /// service is told again in the background (H-13: no flow takes three seconds for a network that is slow).
    static let hearing = TimeSpan.seconds(2)

    /// - Parameters:
    ///   - backend: the vendor.
    ///   - store: where the session lasts.
    ///   - policy: what is allowed while the service can't be asked.
    ///   - clock: the device's time, and the waiting for it.
    ///   - random: for identifiers and for the spread of retries.
    ///   - companions: what is kept beside the session, told in this order.
    ///   - providers: native kits that forget who signed in when the user signs out (H-5).
    ///   - report: told of what went wrong on the device without ending the session.
    public init(
        backend: any IdentityBackend, store: any SecureStore, policy: OfflinePolicy = .standard,
        clock: any ClientClock = SystemClock(), random: any RandomSource = SystemRandomSource(),
        companions: [any SessionCompanion] = [], providers: [any NativeIdentityProvider] = [],
        report: @escaping @Sendable (SessionProblem) -> Void = { _ in }
    ) {
        self.backend = backend
        self.store = SessionStore(store: store)
        self.clock = clock
        self.random = random
        self.companions = companions
        self.providers = providers
        self.report = report
        core = Guarded(SessionCore(machine: SessionMachine(backend: backend.name, policy: policy)))
    }

    deinit {
        let listeners = core.withLock { core in
            core.timer?.cancel()
            core.refresh?.cancel()
            return core.listeners.values.compactMap(\.listener)
        }
        // Not under the lock: one that goes by this takes itself off the list.
        for listener in listeners { listener.end() }
    }

    // MARK: The machine

    var repetition: Repetition { Repetition(clock: clock, random: random) }

    var moment: Moment {
        let dice = random.bytes(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Moment(now: clock.now, uptime: clock.uptime, dice: dice)
    }

    /// Tells the machine what happened, and has done what it asks for.
    func post(_ event: SessionEvent) {
        let moment = moment
        let mustRun = core.withLock { core in Self.post(event, to: &core, at: moment) }
        if mustRun { run() }
    }

    /// - Returns: whether somebody has to begin running what is asked for.
    static func post(_ event: SessionEvent, to core: inout SessionCore, at moment: Moment) -> Bool {
        let family = core.machine.phase.session?.kept.family
        let actions = core.machine.handle(event, at: moment)
        let present = core.machine.phase.session
        if present?.kept.family != family { core.lane.append(.follow(present?.tokens)) }
        for action in actions {
            if case .notify = action {
                core.lane.append(.tell(core.machine.phase.shown, core.machine.phase.shownKey))
            } else {
                core.lane.append(.action(action))
            }
        }
        guard !core.isRunning, !core.lane.isEmpty else { return false }
        core.isRunning = true
        return true
    }

    /// The same, and returns when it has been done.
    func settle(_ event: SessionEvent) async { await settle { _ in event } }

    /// - Parameter event: made of what is there at that very moment.
    func settle(_ event: @Sendable (SessionCore) -> SessionEvent) async {
        let moment = moment
        await withCheckedContinuation { continuation in
            let mustRun = core.withLock { core in
                let mustRun = Self.post(event(core), to: &core, at: moment)
                core.lane.append(.reached(continuation))
                guard !core.isRunning else { return mustRun }
                core.isRunning = true
                return true
            }
            if mustRun { run() }
        }
    }

    // MARK: What happens around it

    public var state: AuthState { core.withLock { $0.shown } }

    /// Whether a session that is there would be there after a restart. Not while the store can't take it: then it lives
    /// in memory, and is written as soon as the store can.
    public var isStored: Bool {
        core.withLock { core in
            if case .storing = core.machine.phase { return false }
            return core.machine.phase.session.map { $0.unwritten == nil } ?? false
        }
    }

    public func restore() async {
        await settle(.start)
        for await state in states() {
            guard case .restoring = state else { return }
        }
    }

    /// The device was unlocked, or the user let the app into the store.
    public func storeUnlocked() { post(.storeUnlocked) }
    /// Another process of the app may have changed the session, as when the app comes to the front.
    public func storeChanged() { post(.storeChanged) }
    /// What the system says of the network.
    public func networkChanged(isReachable: Bool) { post(.networkChanged(isReachable: isReachable)) }
    /// The device's clock was set.
    public func clockChanged() { post(.clockTick) }
}
