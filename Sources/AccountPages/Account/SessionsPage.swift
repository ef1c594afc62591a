// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `sessions`: wherever whoever is signed in is signed in: with what, through which app, from which network, since when
/// and when last; and a way to end each, or all others.
enum SessionsPage {
    static let path = AccountErrand(.sessions).path
    static let endPath = "/sessions/end"
    static let endOthersPath = "/sessions/end-others"
    private static let afterName = "after"
    private static let fromName = "from"
    private static let length = 25

    static func get(_ call: PageCall) async throws -> Response {
        let owner = try await call.owner(on: AccountErrand(.sessions)).authenticated
        let page = try await call.accounts.sessionList.page(
            of: owner, after: call.query[afterName].flatMap(SessionPosition.init(page:)), limit: length,
            call: call.flow)
        let more: HTML? = page.next.map {
            let url = call.url(path, [(afterName, $0.page)])
            return #"<p><a class="button quiet" href="\#(url)">\#(call.text(.sessionsMore))</a></p>"#
        }
        let isOnly = page.entries.count <= 1 && page.next == nil && call.query[afterName] == nil
        var frame = PageFrame(
            title: call.text(.sessions), brand: call.brand, language: call.language,
            content: """
                <p class="lead">\(call.text(.sessionsLead))</p>
                \(call.accountNotice)
                <ul class="plain">
                \(page.entries.map { item($0, call) })
                </ul>
                \(more)
                \(isOnly ? nil : endOthersForm(call, from: [(fromName, AccountErrand.Page.sessions.rawValue)]))
                <p class="below"><a href="\(call.url(""))">\(call.text(.back))</a></p>
                """)
        frame.isWide = true
        frame.languages = call.languages(path, call.query[afterName].map { [(afterName, $0)] } ?? [])
        return frame.response()
    }

    /// Each with all that is known of it.
    private static func item(_ entry: SessionList.Entry, _ call: PageCall) -> HTML {
        let session = entry.session
        let times = [
            call.text(.sessionSince, ["time": session.createdAt.pageTime]),
            call.text(.lastUsed, ["time": session.lastActiveAt.pageTime]),
        ].joined(separator: " · ")
        let place = [
            entry.isCurrent ? call.text(.thisDevice) : nil,
            entry.isOnRememberedDevice ? call.text(.sessionRemembered) : nil,
            session.device.truncatedAddress.map { call.text(.sessionFrom, ["place": $0]) },
        ].compactMap(\.self).joined(separator: " · ")
        let device = DeviceName(session.device).text ?? call.text(.unknownDevice)
        return item(
            session, [entry.app, device].compactMap(\.self).joined(separator: " · "), [place, times],
            isCurrent: entry.isCurrent, from: [(fromName, AccountErrand.Page.sessions.rawValue)], call)
    }

    /// As the account's first page has it, in short.
    static func item(_ session: Session, isCurrent: Bool, _ call: PageCall) -> HTML {
        let name = DeviceName(session.device).text ?? call.text(.unknownDevice)
        let used = call.text(.lastUsed, ["time": session.lastActiveAt.pageTime])
        let place = session.device.truncatedAddress.map { call.text(.sessionFrom, ["place": $0]) }
        let detail = [isCurrent ? call.text(.thisDevice) : used, place].compactMap(\.self).joined(separator: " · ")
        return item(session, name, [detail], isCurrent: isCurrent, from: [], call)
    }

    private static func item(
        _ session: Session, _ name: String, _ details: [String], isCurrent: Bool, from: [(String, String)],
        _ call: PageCall
    ) -> HTML {
        let lines: [HTML] = details.filter { !$0.isEmpty }.map { "<small>\($0)</small>" }
        let fields = [("session", session.id.rawValue), (FormToken.field, call.formToken(endPath))] + from
        let end: HTML? =
            isCurrent
            ? nil
            : """
            <form method="post" action="\(call.url(endPath))">
            \(PageFrame.hiddenInputs(fields.map { (name: $0.0, value: $0.1) }))
            <button class="quiet small" type="submit" aria-label="\(call.text(.sessionEndLabel, ["device": name]))"
            >\(call.text(.sessionEnd))</button></form>
            """
        return "<li><div>\(name)\(lines)</div>\(end)</li>"
    }

    static func endOthersForm(_ call: PageCall, from: [(String, String)] = []) -> HTML {
        let fields = [(FormToken.field, call.formToken(endOthersPath))] + from
        return """
            <form method="post" action="\(call.url(endOthersPath))">
            \(PageFrame.hiddenInputs(fields.map { (name: $0.0, value: $0.1) }))
            <button class="quiet" type="submit">\(call.text(.othersEnd))</button></form>
            """
    }

    // MARK: Ending

    /// All of the user's sessions but this browser's are ended, with what apps were given in them.
    static func endOthers(_ call: PageCall) async throws -> Response {
        try call.requireOwnForm()
        guard let session = try await call.session() else { return call.redirect(to: call.url("/sign-in")) }
        try await call.accounts.signOut(AccountPage.owner(session), scope: .others, call: call.flow)
        return back(.others, call)
    }

    /// One of the user's sessions is ended.
    static func end(_ call: PageCall) async throws -> Response {
        try call.requireOwnForm()
        guard let session = try await call.session() else { return call.redirect(to: call.url("/sign-in")) }
        do {
            try await call.accounts.sessionList.revoke(
                SessionID(call.form["session"] ?? ""), of: AccountPage.owner(session), call: call.flow)
        } catch let error as AuthError where error.code == .sessionNotFound {
            // It has ended already, or was never theirs: either way it is not in the list that follows.
        }
        return back(.session, call)
    }

    /// To the list that the button stood in.
    private static func back(_ notice: AccountNotice, _ call: PageCall) -> Response {
        let isHere = call.form[fromName] == AccountErrand.Page.sessions.rawValue
        return call.redirect(to: call.url(isHere ? path : "", [("notice", notice.rawValue)]))
    }
}

extension SessionPosition {
    /// For the address of a page.
    fileprivate var page: String { "\(createdAt.microseconds)~\(id.rawValue)" }

    /// What ``page`` wrote; `nil` for anything else.
    fileprivate init?(page text: String) {
        let parts = text.split(separator: "~", maxSplits: 1)
        guard parts.count == 2, let time = Int64(parts[0]), parts[1].utf8.count <= AccountErrand.longestItem else {
            return nil
        }
        self.init(createdAt: Instant(microseconds: time), id: SessionID(String(parts[1])))
    }
}
