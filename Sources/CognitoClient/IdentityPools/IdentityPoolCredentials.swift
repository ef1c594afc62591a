// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// The credentials of whoever is signed in: fetched when they are first asked for, kept until shortly before they
/// expire, and fetched once for any number of callers (H-6). In memory alone.
public actor IdentityPoolCredentials {
    private let pool: IdentityPool
    private let clock: any ClientClock
    private let logins: Logins
    /// How long before they expire they are fetched anew.
    private let margin: TimeSpan

    private var identity: String?
    private var kept: (credentials: TemporaryCredentials, until: TimeSpan)?
    private var underWay: Task<Result<TemporaryCredentials, AuthError>, Never>?
    /// How often everything was forgotten. What was begun before does not count after.
    private(set) var generation = 0

    /// The tokens of whoever is signed in, by the provider's name.
    ///
    /// - Parameter refused: whether the pool has just refused those that were given before.
    typealias Logins = @Sendable (_ refused: Bool) async throws(AuthError) -> [String: Secret<String>]

    /// - Parameters:
    ///   - margin: five minutes, and no more than half of what they live.
    ///   - logins: the tokens of whoever is signed in, by the provider's name. Empty for a guest.
    public init(
        _ pool: IdentityPool, clock: any ClientClock, margin: TimeSpan = .minutes(5),
        logins: @escaping @Sendable () async throws(AuthError) -> [String: Secret<String>]
    ) {
        self.init(pool, clock: clock, margin: margin, renewing: { _ throws(AuthError) in try await logins() })
    }

    init(
        _ pool: IdentityPool, clock: any ClientClock, margin: TimeSpan = .minutes(5), renewing logins: @escaping Logins
    ) {
        self.pool = pool
        self.clock = clock
        self.margin = margin
        self.logins = logins
    }

    /// - Throws: `superseded` where ``forget()`` came in between.
    public func credentials() async throws(AuthError) -> TemporaryCredentials {
        if let kept, clock.uptime < kept.until { return kept.credentials }
        let begun = generation
        let task = underWay ?? Task { await self.fetch(begun) }
        underWay = task
        // A caller who is cancelled waits on, and takes nobody's result away.
        let outcome = await task.value
        guard begun == generation else { throw AuthError(.superseded) }
        return try outcome.get()
    }

    /// Takes credentials that a sign-in has fetched already, unless everything was forgotten since it began.
    ///
    /// - Parameter begun: ``generation`` at its beginning.
    func keep(_ credentials: TemporaryCredentials, living lifetime: TimeSpan, since begun: Int) {
        guard begun == generation else { return }
        forget()
        identity = credentials.identityID
        hold(credentials, living: lifetime)
    }

    /// What is kept of whoever was signed in goes, and what is under way with it.
    public func forget() {
        generation += 1
        identity = nil
        kept = nil
        underWay = nil
    }

    private func fetch(_ begun: Int) async -> Result<TemporaryCredentials, AuthError> {
        let outcome: Result<(credentials: TemporaryCredentials, lifetime: TimeSpan), AuthError>
        do throws(AuthError) { outcome = .success(try await asked()) } catch { outcome = .failure(error) }
        guard begun == generation else { return .failure(AuthError(.superseded)) }
        underWay = nil
        if case .success(let given) = outcome {
            identity = given.credentials.identityID
            hold(given.credentials, living: given.lifetime)
        }
        return outcome.map(\.credentials)
    }

    private func hold(_ credentials: TemporaryCredentials, living lifetime: TimeSpan) {
        let early = min(margin, TimeSpan(microseconds: lifetime.microseconds / 2))
        kept = (
            credentials, TimeSpan(microseconds: clock.uptime.microseconds + lifetime.microseconds - early.microseconds)
        )
    }

    private func asked() async throws(AuthError) -> (credentials: TemporaryCredentials, lifetime: TimeSpan) {
        let shown = try await logins(false)
        do {
            return try await asked(shown)
        } catch {
            guard error.code == .identityTokenInvalid else { throw error }
            // Over by the service's clock, and not by the device's.
            let renewed = try await logins(true)
            guard renewed.contains(where: { $0.value.reveal() != shown[$0.key]?.reveal() }) else { throw error }
            return try await asked(renewed)
        }
    }

    private func asked(
        _ logins: [String: Secret<String>]
    ) async throws(AuthError) -> (credentials: TemporaryCredentials, lifetime: TimeSpan) {
        if let identity {
            do {
                return try await pool.credentials(of: identity, logins, now: clock.now)
            } catch  where error.code == .identityNotFound {
                // It was deleted, or merged into another: the pool says which it is now.
            }
        }
        return try await pool.credentials(of: try await pool.identity(logins), logins, now: clock.now)
    }
}
