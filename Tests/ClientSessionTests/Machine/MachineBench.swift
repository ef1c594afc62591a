// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientTestSupport

@testable import ClientSession

/// A machine, the time it is told, and what it asked for.
struct MachineBench {
    var machine: SessionMachine
    var moment = Moment(now: Instant(seconds: 1_785_283_200), uptime: .seconds(1000))
    /// What the last event led to.
    var actions: [SessionAction] = []

    init(policy: OfflinePolicy = .standard) {
        machine = SessionMachine(backend: "scripted", policy: policy)
    }

    @discardableResult
    mutating func play(_ event: SessionEvent) -> [SessionAction] {
        actions = machine.handle(event, at: moment)
        return actions
    }

    mutating func pass(_ span: TimeSpan) {
        moment.now = moment.now + span
        moment.uptime = moment.uptime + span
    }

    /// The names of what the last event led to, in order, without the timer.
    var names: [String] { actions.map(\.name).filter { $0 != "schedule" && $0 != "cancelTimer" } }
    var state: String { machine.phase.name }
    var resumed: [TokenOutcome] {
        actions.compactMap { if case .resume(_, let outcome) = $0 { outcome } else { nil } }
    }
    /// The tokens that were given back to the service.
    var revoked: [String] {
        actions.compactMap { if case .revoke(let tokens, _) = $0 { tokens.accessToken.reveal() } else { nil } }
    }
    /// Whose local data goes, by the last event.
    var cleared: [String?] {
        actions.compactMap { if case .clearLocalData(_, let subject) = $0 { .some(subject) } else { nil } }
    }
    var finished: [AuthErrorCode?] {
        actions.compactMap { if case .finish(_, let error) = $0 { .some(error?.code) } else { nil } }
    }
    var generation: Int { machine.generation }
    /// Everything that was put in the store by the last event.
    var written: [KeptSession] {
        actions.compactMap { if case .write(let kept, _) = $0 { kept } else { nil } }
    }
    var writeCall: StoreCallID {
        actions.compactMap { if case .write(_, let call) = $0 { call } else { nil } }.last ?? 0
    }
    var readCall: StoreCallID {
        actions.compactMap { if case .readStore(let call) = $0 { call } else { nil } }.last ?? 0
    }
    var due: TimeSpan? { machine.due(at: moment) }

    static func grant(
        _ number: Int = 0, _ subject: String? = "ada", lifetime: TimeSpan = .hours(1), serverDate: Instant? = nil
    ) -> SessionGrant {
        ScriptedBackend.grant(
            number, lifetime: lifetime, user: subject.map { SessionUser(subject: $0) }, serverDate: serverDate)
    }

    func kept(
        _ number: Int = 0, _ subject: String = "ada", family: String = "f", revision: Int64 = 1,
        backend: String = "scripted"
    ) -> KeptSession {
        KeptSession(
            backend: backend, family: family, revision: revision, tokens: Self.grant(number).tokens,
            user: SessionUser(subject: subject), serverDate: nil, at: moment)
    }

    /// The service has confirmed the session just now.
    func standing(_ subject: String = "ada") -> OfflineStanding {
        OfflineStanding(subject: subject, validatedAt: moment.now, serverDate: nil)
    }

    // MARK: The states

    static func restoring() -> MachineBench {
        var bench = MachineBench()
        bench.play(.start)
        return bench
    }

    static func storeLocked() -> MachineBench {
        var bench = restoring()
        bench.play(.storeRead(bench.readCall, .unreadable(.locked)))
        return bench
    }

    static func signedOut() -> MachineBench {
        var bench = restoring()
        bench.play(.storeRead(bench.readCall, .nothing))
        return bench
    }

    static func awaiting() -> MachineBench {
        var bench = signedOut()
        bench.play(.signInBegan(1))
        bench.play(.stepAwaited(1, AwaitedStep(kind: .confirmation)))
        return bench
    }

    static func storing(_ grant: SessionGrant = grant()) -> MachineBench {
        var bench = signedOut()
        bench.play(.signInBegan(1))
        bench.play(.signInSucceeded(1, grant, family: "f"))
        return bench
    }

    static func signedIn(_ grant: SessionGrant = grant()) -> MachineBench {
        var bench = storing(grant)
        bench.play(.written(bench.writeCall))
        return bench
    }

    static func refreshing() -> MachineBench {
        var bench = signedIn()
        bench.play(.tokenRefused(Secret("access-0"), 100))
        return bench
    }

    static func offline() -> MachineBench {
        var bench = signedIn()
        bench.play(.networkChanged(isReachable: false))
        return bench
    }

    /// Offline for that long, with a refresh that fails whenever one is begun.
    static func offline(for span: TimeSpan) -> MachineBench {
        var bench = offline()
        bench.pass(span)
        bench.play(.clockTick)
        if case .refreshing = bench.machine.phase {
            bench.play(.refreshFailed(bench.generation, AuthError(.network)))
        }
        return bench
    }
}

extension SessionPhase {
    var name: String {
        switch self {
        case .restoring: "restoring"
        case .storeLocked: "storeLocked"
        case .signedOut(let reason): "signedOut(\(reason.rawValue))"
        case .awaiting: "awaiting"
        case .storing: "storing"
        case .signedIn: "signedIn"
        case .refreshing: "refreshing"
        case .offline(let offline):
            offline.allowance == .blocked ? "blocked" : "offline(\(offline.allowance.rawValue))"
        }
    }
}

extension SessionAction {
    var name: String {
        let text = "\(self)"
        switch self {
        case .resume(_, .token): return "resume with a token"
        case .resume(_, .failure(let error)): return "resume with `\(error.code.rawValue)`"
        case .finish(_, nil): return "finish the sign-in"
        case .finish(_, let error?): return "finish the sign-in with `\(error.code.rawValue)`"
        default: return String(text.prefix { $0 != "(" })
        }
    }
}
