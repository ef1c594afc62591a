// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import Hummingbird

/// `GET /__/auth/action`: where the links of this dialect's mails lead.
///
/// A code that confirms an address is spent here, and the browser goes on to where the app wanted it. A code that sets
/// a password needs a form: the browser is sent to the app with the code, as with an action page of the app's own.
enum ActionPage {
    static func get(_ call: DialectCall) async throws -> Response {
        var call = call
        call.flow.directory = try await directory(call)
        try call.limit("verify", call.flow.settings.limits.verify)
        guard let code = call.query["oobCode"], !code.isEmpty else {
            return Answer.text("This link is not complete.", status: .badRequest)
        }
        let target = call.query["continueUrl"].flatMap {
            RedirectPolicy(call.flow.settings).allows($0) ? $0 : nil
        }
        switch call.query["mode"].flatMap(ActionMode.init(rawValue:)) {
        case .verifyEmail, .verifyAndChangeEmail: return try await confirm(code, target, call)
        case .resetPassword, .signIn:
            let app = target ?? call.flow.settings.siteURL
            let parameters = ["mode", "oobCode", "apiKey", "continueUrl", "lang", "tenantId"]
                .compactMap { name in call.query[name].map { (name, $0) } }
            return Answer.redirect(to: URLText.adding(parameters, to: app))
        case nil: return Answer.text("This link is of no known kind.", status: .badRequest)
        }
    }

    private static func confirm(_ code: String, _ target: String?, _ call: DialectCall) async throws -> Response {
        do {
            _ = try await ConfirmAddress(call.ports)(
                .linkToken(code), purposes: ActionMode.confirming, call: call.flow)
        } catch let error as AuthError where ErrorTable.entry(for: error.code).status.code < 500 {
            return Answer.text("This link has expired or has already been used.", status: .badRequest)
        }
        return target.map(Answer.redirect(to:)) ?? Answer.text("Your email address has been verified.")
    }

    /// The link's own Directory. Naming another one is of no use: the code is not in it.
    private static func directory(_ call: DialectCall) async throws -> Directory {
        let project = call.query["projectId"] ?? DirectoryCatalog.defaultName
        let name = call.query["tenantId"] ?? project
        guard let directory = try await call.dialect.directories.directory(named: name, at: call.now),
            directory.projectID == project
        else { throw AuthError(.notFound) }
        return directory
    }
}
