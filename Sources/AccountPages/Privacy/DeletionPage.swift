// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `delete`: what goes with an account, and whether it can be had back, told before its owner says that it is to go;
/// `deleted` says that it is so.
enum DeletionPage {
    static let path = AccountErrand(.delete).path
    static let donePath = "/deleted"
    private static let dueName = "due"
    private static let day: Int64 = 86_400

    static func get(_ call: PageCall) async throws -> Response {
        let (errand, owner) = try await owner(call)
        do {
            return try await form(owner, call).response
        } catch let error as AuthError {
            throw call.orDetour(error, on: errand)
        }
    }

    static func post(_ call: PageCall) async throws -> Response {
        let (errand, owner) = try await owner(call)
        do {
            let form = try await form(owner, call)
            do {
                try call.requireOwnForm()
            } catch {
                return form.unmatched.response
            }
            let outcome = try await call.accounts.deleteAccount(owner, asksForProof: true, call: call.flow)
            var due: [(String, String)] = []
            if case .due = outcome { due = [(dueName, "1")] }
            // As after a sign-out: what the browser shows by going back is nobody's any more.
            var response = call.redirect(to: call.url(donePath, due), cookies: [call.closing, call.renaming])
            response.headers[.clearSiteData] = "\"cache\""
            return response
        } catch let error as AuthError {
            throw call.orDetour(error, on: errand)
        }
    }

    static func done(_ call: PageCall) async throws -> Response {
        let grace = call.flow.settings.deletion.grace
        let isDue = call.query[dueName] != nil && grace > 0
        let lead = isDue ? call.text(.deletedDueLead, ["time": length(of: grace, call)]) : call.text(.deletedLead)
        var page = NoticePage(
            title: call.text(isDue ? .deletedDue : .deleted), lines: [lead], brand: call.brand, language: call.language)
        if isDue { page.ways = [(call.text(.signIn), call.url("/sign-in"))] }
        page.languages = call.languages(donePath, isDue ? [(dueName, "1")] : [])
        return page.response()
    }

    private static func owner(_ call: PageCall) async throws -> (AccountErrand, AuthenticatedUser) {
        let errand = AccountErrand(.delete)
        return (errand, try await call.owner(on: errand, doing: .deletion).authenticated)
    }

    private static func form(_ owner: AuthenticatedUser, _ call: PageCall) async throws -> PageForm {
        let told = try await call.accounts.explainDeletion(owner, asksForProof: true, call: call.flow)
        var form = PageForm(call, .account, title: call.text(.deleteTitle), button: call.text(.deleteButton))
        form.isWorded = false
        form.lead = call.html(.deleteLead, ["user": owner.user.label])
        var items = [call.text(.deleteProfile), call.text(.deleteSessions, ["count": String(told.sessions)])]
        if !told.providers.isEmpty {
            items.append(call.text(.deleteProviders, ["providers": told.providers.joined(separator: ", ")]))
        }
        if told.factors > 0 { items.append(call.text(.deleteFactors, ["count": String(told.factors)])) }
        items.append(call.text(.deleteApps))
        let lines: [HTML] = items.map { "<li>\($0)</li>" }
        let until =
            told.graceSeconds > 0
            ? call.text(.deleteGrace, ["time": length(of: told.graceSeconds, call)]) : call.text(.deleteAtOnce)
        form.above = """
            <p>\(call.text(.deleteWhat))</p>
            <ul class="ticks">
            \(lines)
            </ul>
            <p>\(call.text(.deleteRemains))</p>
            <p><strong>\(until)</strong></p>
            """
        form.isGrave = true
        form.below =
            #"<p class="pair"><a class="button quiet" href="\#(call.url(PrivacyPage.path))">\#(call.text(.cancel))</a></p>"#
        return form
    }

    /// In days where there is one at least, and else in hours: never more than there is.
    private static func length(of seconds: Int64, _ call: PageCall) -> String {
        let (count, one, many): (Int64, PageText, PageText) =
            seconds >= day ? (seconds / day, .oneDay, .days) : (max(seconds / 3600, 1), .oneHour, .hours)
        return count == 1 ? call.text(one) : call.text(many, ["count": String(count)])
    }
}
