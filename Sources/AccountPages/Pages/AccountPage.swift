// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// The first of the pages: who is signed in in this browser, where else they are, and which apps they let in.
enum AccountPage {
    private static let endPath = "/sessions/end"
    private static let revokePath = "/apps/revoke"
    private static let signOutPath = "/sign-out"

    static func get(_ call: PageCall) async throws -> Response {
        guard let session = try await call.session() else { return call.redirect(to: call.url("/sign-in")) }
        let sessions = try await call.accounts.sessionList.list(owner(session), call: call.flow)
            // What apps were given belongs to the browser's session that they were given it in.
            .filter { $0.parentID == nil }
        let apps = try await apps(of: session.user.id, call)
        let user = ["user": session.user.label]
        var frame = PageFrame(
            title: call.own(.account, .title, user) ?? call.text(.account), brand: call.brand, language: call.language,
            content: """
                <p class="lead">\(call.own(.account, .lead, user).map { HTML($0) } ?? call.html(.signedInAs, user))</p>
                \(notice(call))
                <p><a href="\(call.url("/password"))">\(call.text(.changePassword))</a></p>
                <h2 id="sessions">\(call.text(.sessions))</h2>
                <ul class="plain" aria-labelledby="sessions">
                \(sessions.map { item($0, isCurrent: $0.id == session.session.id, call) })
                </ul>
                <h2 id="apps">\(call.text(.apps))</h2>
                \(list(apps, call))
                <form class="below" method="post" action="\(call.url(signOutPath))">
                \(PageFrame.hiddenInputs([(FormToken.field, call.formToken(signOutPath))]))
                <button class="quiet" type="submit">\(call.text(.signOut))</button>
                </form>
                """)
        frame.isWide = true
        frame.languages = call.languages("")
        return frame.response()
    }

    /// One of the user's sessions is ended.
    static func endSession(_ call: PageCall) async throws -> Response {
        try call.requireOwnForm()
        guard let session = try await call.session() else { return call.redirect(to: call.url("/sign-in")) }
        do {
            try await call.accounts.sessionList.revoke(
                SessionID(call.form["session"] ?? ""), of: owner(session), call: call.flow)
        } catch let error as AuthError where error.code == .sessionNotFound {
            // It has ended already, or was never theirs: either way it is not in the list that follows.
        }
        return call.redirect(to: call.url("", [("notice", "session")]))
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

    private static func owner(_ session: BrowserSession) -> AuthenticatedUser {
        AuthenticatedUser(user: session.user, identities: [], session: session.session)
    }

    private static func notice(_ call: PageCall) -> HTML? {
        call.query["notice"].flatMap(AccountNotice.init(rawValue:)).map {
            #"<div class="notice" role="status"><p>\#(call.text($0.text))</p></div>"#
        }
    }

    private static func item(_ session: Session, isCurrent: Bool, _ call: PageCall) -> HTML {
        let name = DeviceName(session.device).text ?? call.text(.unknownDevice)
        // 2026-01-31 23:59 UTC
        let time = session.lastActiveAt.rfc3339.prefix(16).split(separator: "T").joined(separator: " ") + " UTC"
        let detail = isCurrent ? call.text(.thisDevice) : call.text(.lastUsed, ["time": time])
        let button: HTML? =
            isCurrent
            ? nil
            : button(
                endPath, ("session", session.id.rawValue), call.text(.sessionEnd),
                label: call.text(.sessionEndLabel, ["device": name]), call)
        return "<li><div>\(name)<small>\(detail)</small></div>\(button)</li>"
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
