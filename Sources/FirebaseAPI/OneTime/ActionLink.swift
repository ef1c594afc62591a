// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Mail
import ServerKit

/// The links in this dialect's mails, of which apps read the query:
/// `{url}/__/auth/action?mode=…&oobCode=…&apiKey=…&continueUrl=…&lang=…`, without a
/// `continueUrl` where nobody has named one.
struct ActionLink: VerificationLinks {
    static let path = "/__/auth/action"

    let url: ServerURL
    /// The client's own key, which its app needs to use the code.
    let apiKey: String?
    let language: MessageLanguage
    /// Apps that route by it need it, and nothing is put there.
    let keepsFragment = true

    func link(
        for purpose: OneTimeToken.Purpose, token: String, redirectTo: String, in directory: Directory
    ) -> String {
        if purpose.opensOwnPage {
            return AccountLinks(url: url).link(for: purpose, token: token, redirectTo: redirectTo, in: directory)
        }
        // An operator's own page, where it is a whole URL: mere paths are of other dialects.
        let page = directory.settings.mail.paths[purpose.messageName]
        let base = page.flatMap { $0.contains("://") ? $0 : nil } ?? url.text + Self.path
        return URLText.adding(query(purpose, token, redirectTo, directory), to: base)
    }

    /// The same query at the app's own place: what its library reads out of a link is all there.
    func appLink(
        _ address: String, for purpose: OneTimeToken.Purpose, token: String, tokenHash _: String, redirectTo: String,
        in directory: Directory
    ) -> String? {
        URLText.adding(query(purpose, token, redirectTo, directory), to: address)
    }

    private func query(
        _ purpose: OneTimeToken.Purpose, _ token: String, _ redirectTo: String, _ directory: Directory
    ) -> [(String, String)] {
        var query: [(String, String)] = []
        if let mode = ActionMode(purpose) { query.append(("mode", mode.rawValue)) }
        query.append(("oobCode", token))
        if let apiKey { query.append(("apiKey", apiKey)) }
        if redirectTo != home(of: directory) { query.append(("continueUrl", redirectTo)) }
        query.append(("lang", language.rawValue))
        if let tenant = directory.tenantID { query.append(("tenantId", tenant)) }
        // The platform has a host for each project; here the page must be told which one it is.
        if directory.projectID != DirectoryCatalog.defaultName { query.append(("projectId", directory.projectID)) }
        return query
    }

    func home(of directory: Directory) -> String { AccountLinks(url: url).home(of: directory) }
}
