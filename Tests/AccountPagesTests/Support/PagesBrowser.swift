// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Foundation
import HTTPTypes
import ServerKit
import TestBench
import TestBenchHTTP
import Testing

/// As much of a browser as the pages need: it keeps cookies, fills forms in and follows redirects to pages.
final class PagesBrowser: Sendable {
    let bench: PagesBench
    private let language: String?
    private let jar = CookieJar()

    init(_ bench: PagesBench, language: String?) {
        self.bench = bench
        self.language = language
    }

    struct Page: Sendable {
        var status: Int
        var text: String
        var headers: HTTPFields
        var url: String

        var location: String? { headers[.location] }
        var title: String { PagesBrowser.between("<title>", "</title>", text) ?? "" }
        var heading: String { PagesBrowser.between("<h1>", "</h1>", text) ?? "" }
        var forms: [PageMarkup.Form] { PageMarkup(text).forms }
    }

    // MARK: Cookies

    var cookies: [String: String] {
        get { jar.cookies }
        set { jar.cookies = newValue }
    }

    private var headers: HTTPFields {
        var headers = jar.headers
        headers[.acceptLanguage] = language
        return headers
    }

    var id: BrowserID? { BrowserCookies(url: PagesBench.url).browser(in: headers) }

    func session(of directory: DirectoryID) -> Secret<String>? {
        BrowserCookies(url: PagesBench.url).session(in: headers, of: directory)
    }

    var isSignedIn: Bool { session(of: bench.base.directory.id) != nil }

    // MARK: Pages

    func get(_ url: String) async throws -> Page { try await send(.get, url) }

    /// Follows redirects as long as they lead to pages.
    func open(_ url: String) async throws -> Page {
        var page = try await get(url)
        while let next = page.location,
            next.hasPrefix("/account") || next.contains("/account") && next.hasPrefix("/dir")
        {
            page = try await get(next)
        }
        return page
    }

    /// Sends a page's form, the first one if no other is named by its action.
    func submit(
        _ page: Page, to action: String? = nil, _ fields: [String: String] = [:], without: [String] = []
    ) async throws -> Page {
        let form = try #require(page.forms.first { action == nil || $0.action.contains(action ?? "") }, "\(page.text)")
        var values = form.values.merging(fields) { $1 }
        for name in without { values[name] = nil }
        return try await send(.post, form.action, values)
    }

    /// As ``submit(_:to:_:without:)``, and goes where the answer leads.
    func press(_ page: Page, to action: String? = nil, _ fields: [String: String] = [:]) async throws -> Page {
        let answer = try await submit(page, to: action, fields)
        guard let next = answer.location else { return answer }
        #expect(answer.status == 303)
        return next.hasPrefix("/account") ? try await open(next) : answer
    }

    func send(
        _ method: HTTPRequest.Method, _ url: String, _ fields: [String: String]? = nil, body: String? = nil,
        with more: HTTPFields = [:]
    ) async throws -> Page {
        var headers = headers
        headers.append(contentsOf: more)
        if method == .post {
            headers[.contentType] = "application/x-www-form-urlencoded"
            if more[.origin] == nil { headers[.origin] = PagesBench.url }
        }
        let text =
            body
            ?? fields.map {
                $0.sorted { $0.key < $1.key }
                    .map { PercentEncoding.encode($0.key.utf8) + "=" + PercentEncoding.encode($0.value.utf8) }
                    .joined(separator: "&")
            }
        let reply = jar.taken(
            try await bench.http.send(method, url, headers: headers, body: text.map { Array($0.utf8) }))
        return Page(status: reply.status, text: reply.text, headers: reply.headers, url: url)
    }

    static func between(_ start: String, _ end: String, _ text: String) -> String? {
        guard let from = text.range(of: start), let to = text[from.upperBound...].range(of: end) else { return nil }
        return String(text[from.upperBound..<to.lowerBound])
    }

    // MARK: Ways through

    func signIn(_ email: String, _ password: String = "Correct-horse-7-battery", at url: String = "/account/sign-in")
        async throws -> Page
    {
        try await press(try await open(url), ["identifier": email, "password": password])
    }
}
