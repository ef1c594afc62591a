// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// One request for a page, or one form that was sent: decoded as far as every page needs it.
struct PageCall: Sendable, LimitedCall {
    let pages: AccountPages
    let flow: CallContext
    let method: HTTPRequest.Method
    /// Of the page, below the Directory's own place.
    let path: String
    let query: [String: String]
    let form: [String: String]
    /// The one that the request comes from, named now if it had no name.
    let browser: BrowserID
    /// What the browser is in the midst of.
    var pending: PendingAuthorization?
    /// The code of the device that somebody is on the way to let in, by whatever pages come first: as
    /// ``DeviceUserCode/text``, empty before one was typed; `nil` where they are not on that way.
    var deviceCode: String?
    /// The page of their own account that somebody is on the way to, by whatever pages come first.
    var errand: AccountErrand?
    /// The app that has sent the browser here.
    var app: Client?
    /// Fields that give the browser its name and remember its user's language, where that is new.
    let newCookies: [HTTPField]
    let requestID: String
    private let isNamed: Bool
    private let headers: HTTPFields
    private let authority: String?

    /// - Throws: ``AuthErrorCode/notFound`` for a Directory that there is not, ``AuthErrorCode/invalidRequest`` for a
    ///   query or a form that can't be read; `AuthorizationRefusal` for a request of an app's that this browser can't
    ///   go on with.
    init(_ request: Request, _ context: LatchkeyRequestContext, of pages: AccountPages, for route: Route) async throws {
        self.pages = pages
        method = route.method
        path = route.path
        headers = request.headers
        authority = request.head.authority
        requestID = context.requestID
        query = try RequestReading.query(of: request)
        form = route.method == .post ? try await Self.form(of: request) : [:]

        let cookies = BrowserCookies(url: pages.url.text)
        let known = cookies.browser(in: request.headers)
        isNamed = known != nil
        browser = known ?? BrowserID(random: pages.accounts.random)
        let name = context.parameters.get("directory") ?? DirectoryCatalog.defaultName
        let place = try await Self.place(
            name, request: query["request"], outlives: route.outlivesRequest, browser: known, context.now, pages)
        pending = place.pending
        deviceCode =
            place.pending == nil
            ? query[DeviceVisit.parameter].map { DeviceUserCode(typed: $0)?.text ?? "" } : nil
        errand =
            place.pending == nil && deviceCode == nil ? query[AccountErrand.parameter].flatMap(AccountErrand.init) : nil
        app = try await Self.client(of: place.pending, context.now, pages)

        let chosen = query[LanguageChoice.parameter].flatMap(MessageLanguage.init(rawValue:))
        let language = LanguageChoice(
            chosen: chosen, headers: request.headers,
            wished: place.pending?.parameters.uiLocales ?? query[LanguageChoice.wishes]?.split(separator: " ").map(
                String.init)
                ?? []
        ).language
        newCookies =
            (known == nil ? [cookies.naming(browser)] : [])
            + (chosen.map { [LanguageChoice.remembering($0, isSecure: pages.url.text.hasPrefix("https:"))] } ?? [])

        var flow = CallContext(
            directory: place.directory, now: context.now, device: DeviceMetadata(request, client: context.client),
            language: language,
            links: AccountLinks(url: pages.url, request: place.pending?.id, deviceCode: deviceCode),
            dialect: .browser, rotates: false)
        flow.origin = context.origin
        flow.stepLifetime = PageTicket.lifetime
        self.flow = flow
    }

    var accounts: AccountFlows { pages.accounts }
    var directory: Directory { flow.directory }
    var language: MessageLanguage { flow.language }
    var brand: PageBrand { PageBrand(flow.settings) }
    private var cookies: BrowserCookies { BrowserCookies(url: pages.url.text) }

    /// What the browser holds of its session here, not judged yet.
    var cookie: Secret<String>? { cookies.session(in: headers, of: directory.id) }

    /// The dialect of the app that has sent the browser here, where that is not this server's own.
    var dialect: (any ProviderDialect)? {
        app?.dialect.flatMap { name in pages.dialects.first { $0.clientDialect == name } }
    }

    /// What a dialect wants of accounts that come to be here.
    var schema: (any AccountSchema)? {
        pages.dialects.lazy.compactMap { $0.schema(of: directory, for: app) }.first
    }

    /// Whether what people have here, a password or a code, leads to the app: to some only an identity provider's word
    /// does.
    var takesOwnSignIn: Bool { !(app?.settings.authorization.providersOnly ?? false) }

    /// The domain gives such an app nothing for another session (`AuthorizationJudgement`); here it is said, and none
    /// is opened.
    ///
    /// - Throws: ``AuthErrorCode/flowNotAllowed``.
    func requireOwnSignIn() throws(AuthError) {
        guard takesOwnSignIn else { throw AuthError(.flowNotAllowed) }
    }

    /// The server as the browser came by it: one of the Directory's domains, else its own URL. No other host is
    /// repeated.
    func origin() async throws -> String {
        guard let authority, try await pages.directory(ofHost: authority, at: flow.now)?.id == directory.id else {
            return pages.url.text
        }
        return (pages.url.text.hasPrefix("https:") ? "https://" : "http://") + authority
    }

    /// The server as the request names it, to be compared with what is configured and never repeated.
    var browserOrigin: String? {
        authority.map { (pages.url.text.hasPrefix("https:") ? "https://" : "http://") + $0 }
    }

    /// Who is signed in in this browser.
    func session() async throws -> BrowserSession? {
        try await accounts.browserSessions.find(cookie, call: flow)
    }

    // MARK: Places

    /// Of another page, with what the browser is in the midst of.
    func url(_ path: String, _ parameters: [(String, String)] = []) -> String {
        let kept =
            pending.map { [("request", $0.id.rawValue)] } ?? deviceCode.map { [(DeviceVisit.parameter, $0)] }
            ?? errand.map { [(AccountErrand.parameter, $0.text)] }
        let all = (kept ?? []) + parameters
        let query = all.map { "\($0.0)=\(PercentEncoding.encode($0.1.utf8))" }.joined(separator: "&")
        return AccountPlace.path(of: directory) + path + (query.isEmpty ? "" : "?" + query)
    }

    /// Where the browser goes once a page has done its work: back to what it is in the midst of.
    var continuation: String {
        if let pending {
            return "\(AccountPages.continuation)?request=\(PercentEncoding.encode(pending.id.rawValue.utf8))"
        }
        guard let errand else { return url(deviceCode == nil ? "" : DeviceVisit.path) }
        var arrived = self
        arrived.errand = nil
        return arrived.url(errand.path, errand.parameters)
    }

    /// Whether somebody is on the way to something, and not only to their account's first page.
    var isOnTheWay: Bool { pending != nil || deviceCode != nil || errand != nil }

    // MARK: Forms

    /// What keeps another site, another browser and another page from sending this page's form.
    func requireOwnForm() throws(AuthError) { try requireForm(of: path) }

    /// The same of a page whose form says more than one thing.
    func requireForm(of page: String) throws(AuthError) {
        try FormToken.require(
            form[FormToken.field], page: page, request: pending?.id.rawValue, session: sessionID(page),
            browser: isNamed ? browser : nil, in: directory, headers: headers, authority: authority,
            url: pages.url.text)
    }

    /// The token of a form that goes to `path`.
    func formToken(_ path: String) -> String {
        FormToken.text(
            page: path, request: pending?.id.rawValue, session: sessionID(path), browser: browser, in: directory)
    }

    /// The session that the browser has, for a page that is about whoever is signed in. It stays the same when its user
    /// proves more, and is another once somebody else has signed in.
    private func sessionID(_ path: String) -> SessionID? {
        guard Route.ofWhoIsSignedIn.contains(path) else { return nil }
        return cookie.flatMap { RefreshToken($0.reveal(), under: directory.tokenKey, for: flow.dialect)?.session }
    }

    func memberText(_ name: String) -> String? { form[name] }

    // MARK: Answers

    /// 303: what was sent is not sent again by going back or by loading once more (RFC 9110, section 15.4.4).
    func redirect(to url: String, cookies fields: [HTTPField] = []) -> Response {
        var response = Response(status: .seeOther, headers: [.location: url, .cacheControl: "no-store"])
        for field in fields { response.headers.append(field) }
        return response
    }

    func text(_ text: PageText, _ values: [String: String] = [:]) -> String {
        MessageCatalog.text(text, in: language, values: values)
    }

    /// A text in which what it names is set off.
    func html(_ text: PageText, _ values: [String: String] = [:]) -> HTML {
        MessageCatalog.html(text, in: language, values: values)
    }

    /// The operator's own text, where there is one. The app that has sent the browser here may be named in each.
    func own(_ page: PageWording.Page, _ part: PageWording.Part, _ values: [String: String] = [:]) -> String? {
        var values = values
        values["app"] = app?.name
        return PageWording.text(page, part, in: language, of: flow.settings.pages.texts, values: values)
    }

    /// Whether the form says that its user wants to stay signed in.
    var wantsToStay: Bool { form["stay"] != nil }

    /// The field by which the browser is signed in.
    ///
    /// - Parameter stays: beyond its window's closing.
    func opening(_ cookie: Secret<String>, stays: Bool) -> HTTPField {
        cookies.opening(cookie, of: directory.id, lifetime: stays ? flow.settings.sessions.lifetime : nil)
    }

    /// A page that says what is done, of somebody who is not signed in by it.
    func notice(_ title: PageText, _ line: PageText) -> Response {
        NoticePage(title: text(title), lines: [text(line)], brand: brand, language: language).response()
    }

    /// The field by which the browser is signed out.
    var closing: HTTPField { cookies.closing(directory.id) }

    /// The field by which the browser gets another name: what was begun in it under the former one is over.
    var renaming: HTTPField { cookies.naming(BrowserID(random: accounts.random)) }

    // MARK: Reading

    private static func form(of request: Request) async throws -> [String: String] {
        let object = try await RequestReading.formObject(of: request)
        return Dictionary(
            object.members.compactMap { member in member.value.stringValue.map { (member.name, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    private static func place(
        _ name: String, request: String?, outlives: Bool, browser: BrowserID?, _ now: Instant, _ pages: AccountPages
    ) async throws -> (directory: Directory, pending: PendingAuthorization?) {
        let catalog = pages.accounts.directories
        if let request {
            do {
                let pending = try await pages.accounts.continueAuthorization.find(
                    PendingAuthorizationID(request), browser: browser, at: now)
                guard let directory = try await catalog.directory(pending.directoryID, at: now) else {
                    throw AuthError(.notFound)
                }
                return (directory, pending)
            } catch let refusal as AuthorizationRefusal {
                guard outlives else { throw refusal }
            }
        }
        guard let directory = try await catalog.directory(named: name, at: now) else { throw AuthError(.notFound) }
        return (directory, nil)
    }

    private static func client(
        of pending: PendingAuthorization?, _ now: Instant, _ pages: AccountPages
    ) async throws -> Client? {
        guard let pending else { return nil }
        return try await pages.accounts.clients.client(pending.clientID, at: now)
    }
}

extension DirectorySettings.Sessions {
    /// For how long a browser keeps a session that outlasts its window.
    fileprivate var lifetime: TimeSpan? {
        let lengths = [timebox, inactivityTimeout].filter { $0 > 0 }
        // Browsers keep nothing for longer (RFC 6265bis, section 5.5).
        return .seconds(min(lengths.min() ?? .max, 400 * 86_400))
    }
}
