// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Asks once more, a moment later, what nobody answered or a service had no time for, before anybody hears that it
/// failed: a connection that breaks once is no news to a user (Y-SC2, H-13).
///
/// Only for what may be asked twice: questions, a refresh, whose token a service takes again from whoever did not get
/// its answer (F6), and a sign-in by password, which the user would do again. Never for what is good once, such as a
/// code, or for what makes something.
struct Repetition: Sendable {
    /// The longest that a service may want to be left alone first. Whoever asks is told at once of a longer time.
    static let longest = TimeSpan.seconds(2)

    let clock: any ClientClock
    let random: any RandomSource

    func callAsFunction<Answer: Sendable>(
        _ ask: () async throws(AuthError) -> Answer
    ) async throws(AuthError) -> Answer {
        do { return try await ask() } catch {
            guard let pause = pause(after: error), (try? await clock.wait(pause)) != nil else { throw error }
            return try await ask()
        }
    }

    /// Between a fifth and two fifths of a second, differently from device to device, or as long as the service says.
    ///
    /// - Returns: `nil` for what would be no better a moment later.
    private func pause(after error: AuthError) -> TimeSpan? {
        switch error.code {
        case .network, .unavailable, .overloaded, .internalFailure, .storeUnavailable: break
        // Some services count attempts by it. Who says for how long means the rate.
        case .rateLimited where error.retryAfter != nil: break
        default: return nil
        }
        let told = error.retryAfter ?? .zero
        guard told <= Self.longest else { return nil }
        let dice = random.bytes(2).reduce(0) { $0 << 8 | Int64($1) }
        return max(told, .milliseconds(200 + dice % 200))
    }
}
