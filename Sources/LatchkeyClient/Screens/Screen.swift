// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Observation

/// What every screen has: whether something is under way, what went wrong last, and what there is to tell.
@Observable @MainActor
public class Screen {
    private var flight = Flight()
    /// What to show, and what to do about it. Gone when something is begun.
    public private(set) var error: ErrorPresentation?
    /// Good news.
    public internal(set) var notice: UserMessage?
    @ObservationIgnored let support: String?

    init(support: String?) {
        self.support = support
    }

    /// Whether something is under way: buttons are not to be pressed.
    public var isInProgress: Bool { flight.isUnderWay }

    /// The screen is left. What is under way comes to its end, and changes nothing here any more.
    public func leave() { flight.leave() }

    /// The same, and nothing is told any more.
    func empty() {
        leave()
        (error, notice) = (nil, nil)
    }

    /// Runs one thing at a time. Its outcome counts as long as the screen is there.
    ///
    /// - Returns: `nil` where it failed, was not begun, or nobody waits for it any more.
    func run<Outcome: Sendable>(
        lock: (@MainActor (AuthError) -> TimeSpan?)? = nil,
        _ action: @Sendable () async throws(AuthError) -> Outcome
    ) async -> Outcome? {
        guard let ticket = flight.begin() else { return nil }
        error = nil
        notice = nil
        do throws(AuthError) {
            let outcome = try await action()
            return flight.end(ticket) ? outcome : nil
        } catch {
            let wait = lock?(error)
            guard flight.end(ticket) else { return nil }
            let shown = ErrorPresentation(error, support: support, lock: wait)
            if shown.isShown { self.error = shown }
            return nil
        }
    }

    /// The same of what has no outcome but that it was done.
    func perform(_ action: @Sendable () async throws(AuthError) -> Void) async -> Bool {
        let done = await run { () async throws(AuthError) in
            try await action()
            return true
        }
        return done ?? false
    }
}
