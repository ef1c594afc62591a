// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// Which page of their own account somebody is on the way to, by whatever pages come first: a sign-in, a second factor.
/// It is one of a few that stand here, so that no address leads anywhere else.
struct AccountErrand: Sendable, Equatable {
    static let parameter = "then"
    static let itemName = "item"
    static let longestItem = 64

    /// Each by its path below the Directory's own place.
    enum Page: String, Sendable, CaseIterable {
        case account = ""
        case profile
        case password
        case email
        case phone
        case identities
        case unlink = "identities/remove"
        case factors
        case newFactor = "factors/new"
        case removeFactor = "factors/remove"
        case backupCodes = "factors/codes"
        case sessions
        case data
        case delete
        case passkeys
        case newPasskey = "passkeys/new"
        case namePasskey = "passkeys/name"
        case removePasskey = "passkeys/remove"
        case consents
    }

    var page: Page
    /// What the page is about, where it is one of several.
    var item: String?

    init(_ page: Page, item: String? = nil) {
        self.page = page
        self.item = item
    }

    /// What ``text`` wrote; `nil` for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let page = parts.first.flatMap(Page.init(rawValue:)) else { return nil }
        let item = parts.count > 1 ? parts[1] : nil
        guard item?.utf8.count ?? 0 <= Self.longestItem else { return nil }
        self.init(page, item: item)
    }

    var text: String { page.rawValue + (item.map { "~" + $0 } ?? "") }
    var path: String { page == .account ? "" : "/" + page.rawValue }
    var parameters: [(String, String)] { item.map { [(Self.itemName, $0)] } ?? [] }
}

/// Where somebody is led before a page can do its work. Thrown, so that every page says in one line what it needs.
struct Detour: Error {
    var response: Response
}

extension PageCall {
    /// Whoever is signed in, with the proof that the deed needs; else they are led to where they sign in or show it,
    /// and come back to `errand`.
    ///
    /// - Parameter deed: `nil` for a page that changes nothing of how its user signs in.
    /// - Throws: ``Detour``.
    func owner(
        on errand: AccountErrand, doing deed: FindMissingProof.Deed? = nil
    ) async throws -> (browser: BrowserSession, authenticated: AuthenticatedUser) {
        guard let session = try await session() else { throw Detour(response: detour("/sign-in", on: errand)) }
        let authenticated = AuthenticatedUser(user: session.user, identities: [], session: session.session)
        if let deed, let missing = try await accounts.findMissingProof(deed, of: authenticated, call: flow) {
            throw Detour(response: detour(missing.path, on: errand))
        }
        return (session, authenticated)
    }

    /// What a flow refuses since the session's proof does not do any more, as a way to show it; any other error as it
    /// is.
    func orDetour(_ error: AuthError, on errand: AccountErrand) -> any Error {
        switch error.code {
        case .insufficientAssurance: Detour(response: detour(MissingProof.secondFactor.path, on: errand))
        case .reauthenticationNeeded: Detour(response: detour(MissingProof.freshSignIn.path, on: errand))
        case .sessionNotFound, .sessionExpired: Detour(response: detour("/sign-in", on: errand))
        default: error
        }
    }

    private func detour(_ path: String, on errand: AccountErrand) -> Response {
        var call = self
        (call.pending, call.deviceCode, call.errand) = (nil, nil, errand)
        return call.redirect(to: call.url(path))
    }
}

extension MissingProof {
    fileprivate var path: String {
        switch self {
        case .secondFactor: FactorVisit.path
        case .freshSignIn: "/sign-in"
        }
    }
}
