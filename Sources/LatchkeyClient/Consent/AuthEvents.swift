// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// What changes of the session are called in telemetry (G-14.6). Pure: states in, events out.
///
/// Nothing in them says who somebody is. What no state shows, a sign-up that gave a session at once, the screen that
/// did it logs as `auth.sign_up`.
public struct AuthEvents: Sendable {
    private var subject: String?
    private var isRestoring = true
    private var isRefreshing = false
    private var isAwaiting = false
    private var offline: String?

    /// Begins with no state seen.
    public init() {}

    /// What a new state is worth telling, after those that were seen before.
    public mutating func events(for state: AuthState) -> [AnalyticsEvent] {
        var events: [AnalyticsEvent] = []
        switch state {
        case .restoring, .storeLocked: return []
        case .signedOut(let reason):
            if subject != nil { events.append(AnalyticsEvent("auth.sign_out", ["reason": .string(reason.rawValue)])) }
            subject = nil
            isAwaiting = false
        case .awaiting(let step):
            if !isAwaiting {
                let kind = Self.word(step.kind)
                events.append(
                    AnalyticsEvent(kind == "confirmation" ? "auth.sign_up" : "auth.step", ["step": .string(kind)]))
            }
            isAwaiting = true
        case .signedIn(let user), .refreshing(let user), .offline(_, let user), .blocked(let user):
            if !Subject.isSame(subject, user.subject) {
                var properties = JSONObject()
                if let provider = user.provider { properties["provider"] = .string(provider) }
                events.append(AnalyticsEvent(isRestoring ? "auth.restore" : "auth.sign_in", properties))
            }
            subject = user.subject
            isAwaiting = false
            if case .signedIn = state, isRefreshing { events.append(AnalyticsEvent("auth.refresh")) }
        }
        isRestoring = false
        if case .refreshing = state { isRefreshing = true } else { isRefreshing = false }
        let access = Self.offline(state)
        if let access, access != offline { events.append(AnalyticsEvent("auth.offline", ["access": .string(access)])) }
        offline = access
        return events
    }

    /// Logs to `gate` what becomes of the session, as long as the task lives.
    public static func follow(_ service: any AuthenticationService, into gate: ConsentGate) async {
        var events = AuthEvents()
        for await state in service.states() {
            for event in events.events(for: state) { gate.logAuth(event) }
        }
    }

    private static func offline(_ state: AuthState) -> String? {
        switch state {
        case .offline(let access, _): access.rawValue
        case .blocked: "none"
        default: nil
        }
    }

    private static func word(_ kind: AwaitedStep.Kind) -> String {
        switch kind {
        case .confirmation: "confirmation"
        case .newPassword: "new_password"
        case .oneTimePassword: "one_time_password"
        case .code: "code"
        case .choice: "choice"
        case .linking: "linking"
        case .enrolment: "enrolment"
        case .passkey: "passkey"
        }
    }
}
