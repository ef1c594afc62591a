// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

/// The table by which logins lead to identities.
@Suite struct IdentityResolutionTests {
    private typealias Resolution = IdentityResolution

    private static let (google, apple) = (
        PoolLogin(.upstream("google"), issuer: "g", subject: "1"),
        PoolLogin(.upstream("apple"), issuer: "a", subject: "1")
    )
    private static let otherGoogle = PoolLogin(.upstream("google"), issuer: "g", subject: "2")
    private static let (developer, otherName) = (
        PoolLogin(.developer("acme"), subject: "1"), PoolLogin(.developer("acme"), subject: "2")
    )

    private static func known(_ id: String, _ logins: PoolLogin..., wasAuthenticated: Bool = false) -> Resolution.Known
    {
        let start = Instant(seconds: 1)
        return .init(
            PoolIdentity(
                id: PoolIdentityID(id), poolID: IdentityPoolID("p"), directoryID: DirectoryID("d"),
                isAuthenticated: wasAuthenticated || !logins.isEmpty, createdAt: start, updatedAt: start), logins)
    }

    private static func verdict(
        _ named: Resolution.Known?, _ proven: [PoolLogin], _ holders: [Resolution.Known] = [], guests: Bool = false,
        trusted: Bool = false
    ) -> Resolution.Verdict {
        Resolution.verdict(
            named: named, proven: proven, holders: holders, allowsGuests: guests, isTrusted: trusted)
    }

    private static func use(
        _ id: String, linking: [PoolLogin] = [], merging: [String] = []
    ) -> Resolution.Verdict {
        .use(PoolIdentityID(id), linking: linking, merging: merging.map { PoolIdentityID($0) })
    }

    @Test("R12.7 whoever shows no login is a guest where guests are let in, and never somebody who has logins")
    func guests() {
        #expect(Self.verdict(nil, [], guests: true) == .create(linking: []))
        #expect(Self.verdict(nil, []) == .refuse(.guestsNotAllowed))
        #expect(Self.verdict(Self.known("g"), [], guests: true) == Self.use("g"))
        #expect(Self.verdict(Self.known("g"), []) == .refuse(.guestsNotAllowed))
        for guests in [true, false] {
            #expect(Self.verdict(Self.known("a", Self.google), [], guests: guests) == .refuse(.forbidden))
            let emptied = Self.known("a", wasAuthenticated: true)
            #expect(Self.verdict(emptied, [], guests: guests) == .refuse(.forbidden), "all its logins were taken away")
            #expect(Self.verdict(emptied, [Self.google], guests: guests) == .refuse(.forbidden))
        }
    }

    @Test("R12.7 a login leads to its identity, several to one, which the others are merged into")
    func logins() {
        let (one, two) = (Self.known("1", Self.google), Self.known("2", Self.apple))
        #expect(Self.verdict(nil, [Self.google]) == .create(linking: [Self.google]))
        #expect(Self.verdict(nil, [Self.google], [one]) == Self.use("1"))
        #expect(Self.verdict(nil, [Self.google, Self.apple], [one]) == Self.use("1", linking: [Self.apple]))
        #expect(Self.verdict(nil, [Self.google, Self.apple], [one, two]) == Self.use("1", merging: ["2"]))
        #expect(
            Self.verdict(two, [Self.google, Self.apple], [one, two]) == Self.use("2", merging: ["1"]), "its own word")
        #expect(Self.verdict(one, [Self.google], [one]) == Self.use("1"))
        #expect(Self.verdict(one, [Self.apple]) == .refuse(.notItsLogins))
        #expect(Self.verdict(one, [Self.apple], [two]) == .refuse(.notItsLogins), "nobody moves another's login")
    }

    @Test("R12.7 a guest who logs in keeps their identity, or comes to the one that their login leads to")
    func fromGuest() {
        let guest = Self.known("g")
        #expect(Self.verdict(guest, [Self.google]) == Self.use("g", linking: [Self.google]))
        let one = Self.known("1", Self.google)
        #expect(Self.verdict(guest, [Self.google], [one]) == Self.use("1", merging: ["g"]))
    }

    @Test("R12.7 no identity is two users of one provider, and none has more than twenty logins")
    func bounds() {
        let (one, two) = (Self.known("1", Self.google), Self.known("2", Self.apple, Self.otherGoogle))
        #expect(Self.verdict(nil, [Self.google, Self.apple], [one, two]) == .refuse(.linkedElsewhere))
        #expect(Self.verdict(one, [Self.google, Self.otherGoogle], [one]) == .refuse(.linkedElsewhere))
        #expect(Self.verdict(nil, [Self.google, Self.otherGoogle]) == .refuse(.linkedElsewhere))
        let names = (0..<20).map { PoolLogin(.developer("acme"), subject: "n\($0)") }
        let full = Resolution.Known(Self.known("f", names[0]).identity, names)
        #expect(Self.verdict(full, [names[0], Self.google], [full]) == .refuse(.tooManyLogins))
        let almost = Resolution.Known(full.identity, Array(names.dropLast()))
        #expect(Self.verdict(almost, [names[0], Self.google], [almost]) == Self.use("f", linking: [Self.google]))
    }

    @Test("R12.7 the operator's programs name an identity without a login of its, and take none from another")
    func trusted() {
        let (one, two) = (Self.known("1", Self.google), Self.known("2", Self.developer))
        #expect(Self.verdict(one, [Self.developer], trusted: true) == Self.use("1", linking: [Self.developer]))
        #expect(Self.verdict(one, [Self.developer], [two], trusted: true) == .refuse(.developerUserTaken))
        #expect(Self.verdict(nil, [Self.developer], [two], trusted: true) == Self.use("2"))
        #expect(Self.verdict(two, [Self.otherName], trusted: true) == Self.use("2", linking: [Self.otherName]))
        #expect(
            Resolution.merger(of: two, into: one) == Self.use("1", merging: ["2"]))
        #expect(Resolution.merger(of: one, into: one) == Self.use("1"))
        #expect(Resolution.merger(of: one, into: Self.known("3", Self.otherGoogle)) == .refuse(.linkedElsewhere))
    }
}
