// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// All that the provider remembers, in memory alone: it ends with the process, and never grows beyond its bounds.
final class Book: Sendable {
    private struct Pages: Sendable {
        var codes = BoundedTable<Dated>(capacity: 1_000)
        var accessTokens = BoundedTable<Dated>(capacity: 1_000)
        var refreshTokens = BoundedTable<Dated>(capacity: 1_000)
        /// Whoever has agreed that the app may know them.
        var consents = BoundedTable<Consent>(capacity: 1_000)
        /// Those who were typed in.
        var people = BoundedTable<(vendor: Vendor, person: Person)>(capacity: 200)
    }

    private struct Dated: Sendable {
        var grant: Grant
        var end: Instant
    }

    struct Consent: Sendable {
        var vendor: Vendor
        var person: Person
        var clientID: String
    }

    private let pages = Mutex(Pages())
    private let random: any RandomSource

    init(random: any RandomSource) {
        self.random = random
    }

    // MARK: Codes and tokens

    /// A code, good once and for five minutes.
    func code(for grant: Grant, at now: Instant) -> String {
        put(grant, until: now + .minutes(5), in: \.codes)
    }

    /// What a code stands for. It is gone then, whoever asks.
    func redeem(_ code: String, at now: Instant) -> Grant? {
        pages.withLock { $0.codes.take(code) }.flatMap { $0.end > now ? $0.grant : nil }
    }

    /// Good for an hour.
    func accessToken(for grant: Grant, at now: Instant) -> String {
        put(grant, until: now + .hours(1), in: \.accessTokens)
    }

    func grant(ofAccessToken token: String, at now: Instant) -> Grant? {
        pages.withLock { $0.accessTokens[token] }.flatMap { $0.end > now ? $0.grant : nil }
    }

    func refreshToken(for grant: Grant, at now: Instant) -> String {
        put(grant, until: now + .days(180), in: \.refreshTokens)
    }

    func grant(ofRefreshToken token: String, at now: Instant) -> Grant? {
        pages.withLock { $0.refreshTokens[token] }.flatMap { $0.end > now ? $0.grant : nil }
    }

    private func put(
        _ grant: Grant, until end: Instant, in table: WritableKeyPath<Pages, BoundedTable<Dated>>
    ) -> String {
        let token = Base64URL.encode(random.bytes(32))
        pages.withLock { $0[keyPath: table].put(Dated(grant: grant, end: end), as: token) }
        return token
    }

    // MARK: Consents

    /// Remembers that somebody agreed.
    ///
    /// - Returns: whether it is the first time.
    func agree(_ person: Person, at vendor: Vendor, to clientID: String) -> Bool {
        let name = Self.name(vendor, person.subject, clientID)
        return pages.withLock {
            let isFirst = $0.consents[name] == nil
            $0.consents.put(Consent(vendor: vendor, person: person, clientID: clientID), as: name)
            return isFirst
        }
    }

    var consents: [Consent] { pages.withLock { $0.consents.all } }

    /// Takes back what somebody agreed to, with all codes and tokens that came of it.
    ///
    /// - Returns: what was taken back.
    @discardableResult
    func revoke(_ subject: String, at vendor: Vendor, from clientID: String) -> Consent? {
        pages.withLock { pages in
            let isOne = { (dated: Dated) in
                dated.grant.vendor == vendor && dated.grant.person.subject == subject
                    && dated.grant.clientID == clientID
            }
            pages.codes.removeAll(where: isOne)
            pages.accessTokens.removeAll(where: isOne)
            pages.refreshTokens.removeAll(where: isOne)
            return pages.consents.take(Self.name(vendor, subject, clientID))
        }
    }

    /// The same by any token of it.
    ///
    /// - Returns: `nil` for a token that stands for nothing.
    func revoke(token: String, at vendor: Vendor) -> Consent? {
        guard
            let grant = pages.withLock({ ($0.refreshTokens[token] ?? $0.accessTokens[token])?.grant }),
            grant.vendor == vendor
        else { return nil }
        let person = grant.person
        return revoke(person.subject, at: vendor, from: grant.clientID)
            ?? Consent(vendor: vendor, person: person, clientID: grant.clientID)
    }

    // MARK: People

    /// The invented ones, and who was typed in: the same subject is the same account, as it was typed last.
    func people(at vendor: Vendor) -> [Person] {
        let typed = pages.withLock { $0.people.all }.filter { $0.vendor == vendor }.map(\.person)
        let subjects = Set(typed.map(\.subject))
        return Person.invented(at: vendor).filter { !subjects.contains($0.subject) } + typed
    }

    func add(_ person: Person, at vendor: Vendor) {
        pages.withLock { $0.people.put((vendor, person), as: Self.name(vendor, person.subject, "")) }
    }

    private static func name(_ vendor: Vendor, _ subject: String, _ clientID: String) -> String {
        "\(vendor.rawValue) \(clientID) \(subject)"
    }
}
