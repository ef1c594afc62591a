// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `password`: somebody who is signed in chooses another password, and shows the one that they have.
enum PasswordChangePage {
    private static let errand = AccountErrand(.password)

    static func get(_ call: PageCall) async throws -> Response {
        // Password managers lead here: whoever is signed out has mostly forgotten theirs.
        guard try await call.session() != nil else { return call.redirect(to: call.url("/forgot")) }
        return form(try await call.owner(on: errand, doing: .password).browser, call).response
    }

    static func post(_ call: PageCall) async throws -> Response {
        let (session, owner) = try await call.owner(on: errand, doing: .password)
        let form = form(session, call)
        do {
            try call.requireOwnForm()
        } catch {
            return form.unmatched.response
        }
        do {
            _ = try await call.accounts.changePassword(
                owner,
                current: session.user.passwordHash == nil ? nil : Secret(call.form[PageField.passwordName] ?? ""),
                new: Secret(call.form[PageField.newPasswordName] ?? ""), call: call.flow)
        } catch let error as AuthError where error.code == .invalidCredentials {
            return form.refused(AuthError(.currentPasswordInvalid), secret: PageField.passwordName).response
        } catch let error as AuthError {
            let mapped = call.orDetour(error, on: errand)
            guard mapped is AuthError, error.isSaid else { throw mapped }
            return form.refused(error, secret: PageField.newPasswordName).response
        }
        return call.redirect(to: call.url("", [("notice", "password")]))
    }

    private static func form(_ session: BrowserSession, _ call: PageCall) -> PageForm {
        var form = PageForm(call, .password, title: call.text(.changePassword), button: call.text(.resetButton))
        form.lead = call.html(.signedInAs, ["user": session.user.label])
        form.values = ["user": session.user.label]
        form.username = session.user.label
        // Whoever has come by other ways alone has none to show.
        form.fields = (session.user.passwordHash == nil ? [] : [.password(call)]) + [.newPassword(call)]
        form.below = """
            <p class="below"><a href="\(call.url("/forgot"))">\(call.text(.forgot))</a> ·
            <a href="\(call.url(""))">\(call.text(.back))</a></p>
            """
        return form
    }
}
