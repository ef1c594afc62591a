// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// The first of the pages: who is signed in in this browser, where else they are, and which apps they let in.
enum AccountPage {
    /// Sessions that are shown here at most, the last used first.
    private static let mostSessions = 5
    private static let revokePath = "/apps/revoke"
    private static let signOutPath = "/sign-out"

    static func get(_ call: PageCall) async throws -> Response {
        guard let session = try await call.session() else { return call.redirect(to: call.url("/sign-in")) }
        let sessions = try await call.accounts.sessionList.list(owner(session), call: call.flow)
            // What apps were given belongs to the browser's session that they were given it in.
            .filter { $0.parentID == nil }
        // This browser's own first, among so many that anybody still reads them.
        let shown = Array(
            (sessions.filter { $0.id == session.session.id } + sessions.filter { $0.id != session.session.id })
                .prefix(mostSessions))
        let apps = try await apps(of: session.user.id, call)
        let user = ["user": session.user.label]
        var frame = PageFrame(
            title: call.own(.account, .title, user) ?? call.text(.account), brand: call.brand, language: call.language,
            content: """
                <p class="lead">\(call.own(.account, .lead, user).map { HTML($0) } ?? call.html(.signedInAs, user))</p>
                \(call.accountNotice)
                \(try await overview(session.user, call))
                <h2 id="sessions">\(call.text(.sessions))</h2>
                <ul class="plain" aria-labelledby="sessions">
                \(shown.map { SessionsPage.item($0, isCurrent: $0.id == session.session.id, call) })
                </ul>
                <p><a class="button quiet" href="\(call.url(SessionsPage.path))">\(call.text(.sessionsAll))</a></p>
                \(sessions.count > 1 ? SessionsPage.endOthersForm(call) : nil)
                <h2 id="apps">\(call.text(.apps))</h2>
                \(list(apps, call))
                <h2 id="privacy">\(call.text(.privacy))</h2>
                <ul class="plain" aria-labelledby="privacy">
                \(privacy(call))
                </ul>
                <form class="below" method="post" action="\(call.url(signOutPath))">
                \(PageFrame.hiddenInputs([(FormToken.field, call.formToken(signOutPath))]))
                <button class="quiet" type="submit">\(call.text(.signOut))</button>
                </form>
                """)
        frame.isWide = true
        frame.languages = call.languages("")
        return frame.response()
    }

    /// What there is to change, each with what it is now.
    private static func overview(_ user: User, _ call: PageCall) async throws -> HTML {
        let profile = try await call.accounts.profileFlow.view(user.id, call: call.flow)
        let factors = try await call.accounts.userFactors.choices(of: user, call: call.flow).factors
        let offers = try await call.providers()
        func row(_ text: PageText, _ value: String, _ path: String) -> HTML {
            let what = call.text(text)
            return """
                <li><div>\(what)<small>\(value)</small></div>
                <a class="button quiet small" href="\(call.url(path))" aria-label="\(call.text(.changeLabel, ["what": what]))"
                >\(call.text(.change))</a></li>
                """
        }
        func address(_ address: String?, isProved: Bool) -> String {
            guard let address else { return call.text(.notSet) }
            return isProved ? address : call.text(.notConfirmed, ["address": address])
        }
        let (unset, none) = (call.text(.notSet), call.text(.notSetUp))
        var ways: [HTML] = [row(.passwordLabel, user.passwordHash == nil ? none : "••••••••", "/password")]
        if !factors.isEmpty || Factor.Kind.allCases.contains(where: { call.flow.settings.factors.use(of: $0) == .on }) {
            let labels = factors.map { FactorLabel($0, in: call.language).full }
            ways.append(row(.factors, labels.isEmpty ? none : labels.joined(separator: ", "), FactorsPage.path))
        }
        if call.flow.settings.passkeys.enabled {
            let count = try await call.accounts.userPasskeys.list(of: user.id, call: call.flow).count
            let text = count == 0 ? none : call.text(.passkeysCount, ["count": String(count)])
            ways.append(row(.passkeys, text, PasskeysPage.path))
        }
        if !offers.isEmpty {
            ways.append(row(.identities, offers.map(\.label).joined(separator: ", "), IdentitiesPage.path))
        }
        return """
            <h2 id="profile">\(call.text(.profile))</h2>
            <ul class="plain" aria-labelledby="profile">
            \(row(.nameLabel, profile.name ?? unset, ProfilePage.path))
            \(row(.emailLabel, address(user.email?.rawValue, isProved: user.emailVerifiedAt != nil), "/email"))
            \(row(.phoneLabel, address(user.phone?.e164, isProved: user.phoneVerifiedAt != nil), "/phone"))
            </ul>
            <h2 id="ways">\(call.text(.signInMethods))</h2>
            <ul class="plain" aria-labelledby="ways">
            \(ways)
            </ul>
            """
    }

    /// An app is let in no more.
    static func revokeApp(_ call: PageCall) async throws -> Response {
        try call.requireOwnForm()
        guard let session = try await call.session() else { return call.redirect(to: call.url("/sign-in")) }
        do {
            try await call.accounts.consents.revoke(
                ClientID(call.form["app"] ?? ""), of: session.user.id, call: call.flow)
        } catch let error as AuthError where error.code == .notFound {
            // The same.
        }
        return call.redirect(to: call.url("", [("notice", "app")]))
    }

    /// What is held about the user, and the end of it.
    private static func privacy(_ call: PageCall) -> HTML {
        """
        <li><div>\(call.text(.data))<small>\(call.text(.dataSummary))</small></div>
        <a class="button quiet small" href="\(call.url(PrivacyPage.path))" aria-label="\(call.text(.dataOpen))"
        >\(call.text(.open))</a></li>
        <li><div>\(call.text(.consents))<small>\(call.text(.consentsLead))</small></div>
        <a class="button quiet small" href="\(call.url(ConsentsPage.path))" aria-label="\(call.text(.changeLabel, ["what": call.text(.consents)]))"
        >\(call.text(.change))</a></li>
        """
    }

    static func owner(_ session: BrowserSession) -> AuthenticatedUser {
        AuthenticatedUser(user: session.user, identities: [], session: session.session)
    }

    /// Each with what it may do, in words.
    private static func apps(of user: UserID, _ call: PageCall) async throws -> [(client: Client, scopes: String)] {
        var apps: [(client: Client, scopes: String)] = []
        for entry in try await call.accounts.consents.list(of: user, call: call.flow) {
            let scopes = try await ConsentPage.meanings(of: entry.consent.scopes, call).joined(separator: ", ")
            apps.append((entry.client, scopes))
        }
        return apps
    }

    private static func list(_ apps: [(client: Client, scopes: String)], _ call: PageCall) -> HTML {
        guard !apps.isEmpty else { return "<p>\(call.text(.noApps))</p>" }
        let items: [HTML] = apps.map { client, scopes in
            let button = button(
                revokePath, ("app", client.id.rawValue), call.text(.appRevoke),
                label: call.text(.appRevokeLabel, ["app": client.name]), call)
            return "<li><div>\(client.name)<small>\(scopes)</small></div>\(button)</li>"
        }
        return "<ul class=\"plain\" aria-labelledby=\"apps\">\n\(items)\n</ul>"
    }

    private static func button(
        _ path: String, _ field: (String, String), _ text: String, label: String, _ call: PageCall
    ) -> HTML {
        """
        <form method="post" action="\(call.url(path))">
        \(PageFrame.hiddenInputs([(field.0, field.1), (FormToken.field, call.formToken(path))]))
        <button class="quiet small" type="submit" aria-label="\(label)">\(text)</button></form>
        """
    }
}
