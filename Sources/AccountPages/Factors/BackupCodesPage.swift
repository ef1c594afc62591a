// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `factors/codes`: codes to be written down for the day on which the second factor is lost. They stand in the answer
/// to the form that makes them and nowhere else: whoever loads the page once more is asked whether to make others.
enum BackupCodesPage {
    static let path = "/factors/codes"

    static func get(_ call: PageCall) async throws -> Response {
        let (_, authenticated) = try await call.owner(on: AccountErrand(.backupCodes), doing: .factors)
        let codes = try await call.accounts.userBackupCodes.find(of: authenticated.user.id, call: call.flow)
        return form(isAnew: codes != nil, call).response
    }

    static func post(_ call: PageCall) async throws -> Response {
        let (_, authenticated) = try await call.owner(on: AccountErrand(.backupCodes), doing: .factors)
        let form = form(isAnew: false, call)
        do {
            try call.requireOwnForm()
        } catch {
            return form.unmatched.response
        }
        do {
            let made = try await call.accounts.userBackupCodes.make(for: authenticated, call: call.flow)
            return shown(made.codes, next: call.url("/factors"), call)
        } catch let error as AuthError where [.noOtherFactor, .factorDisabled].contains(error.code) {
            return form.refused(error, secret: "").response
        } catch let error as AuthError {
            throw call.orDetour(error, on: AccountErrand(.backupCodes))
        }
    }

    /// Whoever has just set up their first factor is given codes with it, and led on by the page that shows them.
    ///
    /// - Parameter response: what leads on without them, with the cookies of the session.
    static func afterFirst(
        _ user: User, _ session: Session, _ response: Response, _ call: PageCall
    ) async throws -> Response {
        guard call.flow.settings.factors.backupCodes == .on,
            try await call.accounts.userBackupCodes.find(of: user.id, call: call.flow) == nil
        else { return response }
        let owner = AuthenticatedUser(user: user, identities: [], session: session)
        let made = try await call.accounts.userBackupCodes.make(for: owner, call: call.flow)
        var page = shown(made.codes, next: response.headers[.location] ?? call.url(""), call)
        for field in response.headers where field.name == .setCookie { page.headers.append(field) }
        return page
    }

    private static func shown(_ codes: [Secret<String>], next: String, _ call: PageCall) -> Response {
        let items: [HTML] = codes.map { "<li>\($0.reveal())</li>" }
        var frame = PageFrame(
            title: call.text(.backupCodes), brand: call.brand, language: call.language,
            content: """
                <p class="lead">\(call.text(.backupCodesLead))</p>
                <ol class="codes">
                \(items)
                </ol>
                <p class="pair"><a class="button" href="\(next)">\(call.text(.backupCodesKept))</a></p>
                """)
        frame.isWide = true
        return frame.response()
    }

    private static func form(isAnew: Bool, _ call: PageCall) -> PageForm {
        var form = PageForm(call, .backupCodes, title: call.text(.backupCodes), button: call.text(.backupCodesMake))
        form.lead = call.html(isAnew ? .backupCodesAnewLead : .backupCodesMakeLead)
        form.below = #"<p class="below"><a href="\#(call.url("/factors"))">\#(call.text(.back))</a></p>"#
        return form
    }
}
