// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// The pages by which people sign up and in at this server itself, in a browser, and see to their account.
///
/// Every Directory has them: the default one at `/account`, others at `/directories/{name}/account`. An app sends its
/// users here through the OpenID provider; a page then knows what the browser is in the midst of by `?request=`, and
/// leads back there. The two share nothing but that identifier and the browser's cookies.
public struct AccountPages: Sendable {
    /// Where the OpenID provider goes on with a request.
    static let continuation = "/oauth2/authorize/continue"

    let accounts: AccountFlows
    let url: ServerURL

    public init(accounts: AccountFlows, url: ServerURL) {
        self.accounts = accounts
        self.url = url
    }

    /// What is not found here, or asked in a way that no page answers, is said by a page too.
    public var surfaces: [Surface] { [Surface(prefix: Self.path, renderer: AccountErrors())] }

    /// Where the pages of the default Directory are.
    public static let path = "/account"

    /// Where the pages of a Directory are.
    static func base(of directory: Directory) -> String {
        directory.name == DirectoryCatalog.defaultName ? path : "/directories/\(directory.name)\(path)"
    }

    public func addRoutes(to router: Router<LatchkeyRequestContext>, routes: KnownRoutes) {
        for route in Route.all {
            for prefix in [Self.path, "/directories/{directory}" + Self.path] {
                let path = prefix + route.path
                routes.add(route.method, path)
                router.on(RouterPath(path), method: route.method) { request, context in
                    try await respond(to: request, context, by: route)
                }
            }
        }
        // Where password managers look (W3C, "A Well-Known URL for Changing Passwords").
        routes.add(.get, "/.well-known/change-password")
        router.get("/.well-known/change-password") { _, _ in
            Response(status: .seeOther, headers: [.location: Self.path + "/password"])
        }
    }

    private func respond(
        to request: Request, _ context: LatchkeyRequestContext, by route: Route
    ) async throws -> Response {
        let call: PageCall
        do {
            call = try await PageCall(request, context, of: self, for: route)
        } catch {
            let brand = try await accounts.directories.directory(named: DirectoryCatalog.defaultName, at: context.now)
                .map { PageBrand($0.settings) }
            guard let page = ErrorPage(error, to: request, context, brand: brand) else { throw error }
            return page.response
        }
        var response: Response
        do {
            try route.limit.count(call, by: accounts.limits)
            response = try await route.endpoint(call)
        } catch {
            guard let page = ErrorPage(error, call) else { throw error }
            response = page.response
        }
        for cookie in call.newCookies { response.headers.append(cookie) }
        return response
    }
}

/// Errors of paths that are no page, and of the server's own.
struct AccountErrors: ErrorRenderer {
    func response(for error: AuthError, to request: Request, context: LatchkeyRequestContext) -> Response {
        ErrorPage(
            any: error, language: MessageLanguage(acceptLanguage: request.headers[.acceptLanguage]),
            reference: context.requestID
        ).response
    }
}
