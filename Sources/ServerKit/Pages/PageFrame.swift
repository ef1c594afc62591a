// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import Hummingbird

/// The frame of every page that this server shows people. They fetch nothing, are kept nowhere, are framed by nobody,
/// and tell nobody their address, which may have a link's token in it. They run nothing but one script of this server's
/// own, where an authenticator is asked.
public struct PageFrame: Sendable {
    /// The heading, and what the browser's tab says.
    public var title: String
    /// Whether something that was sent is refused: the tab says so before anything else (WCAG 2.2, criterion 2.4.2).
    public var isRefusal = false
    public var brand: PageBrand
    public var language: MessageLanguage
    /// Where the same page is in each language; none where it is a form's answer.
    public var languages: [(language: MessageLanguage, url: String)] = []
    /// For a page with lists.
    public var isWide = false
    /// The one script that the page runs, from this very server: its address, and SHA-256 of its text in Base64
    /// (Subresource Integrity, section 3.3). It may ask this server, and nobody else.
    public var script: (url: String, hash: String)?
    /// What stands below the heading.
    package var content: HTML

    package init(title: String, brand: PageBrand, language: MessageLanguage, content: HTML) {
        self.title = title
        self.brand = brand
        self.language = language
        self.content = content
    }

    /// - Parameter formTargets: what a form may lead to beside this server, as CSP names it (CSP Level 3,
    ///   section 6.4.1), each behind a blank: see ``formTargets(of:)``.
    public func response(status: HTTPResponse.Status = .ok, formTargets: String = "") -> Response {
        refusal(status: status, formTargets: formTargets).response
    }

    /// The same as what it consists of.
    func refusal(status: HTTPResponse.Status, formTargets: String = "") -> Refusal {
        let style = PageStyle.style(of: brand)
        return Refusal(status, headers(style, formTargets), Array(document(style).text.utf8))
    }

    /// The page as a mould for others that differ from it in one place.
    ///
    /// - Parameter hole: the text in that place, which HTML has no use for. Whether it stands once is looked at.
    /// - Returns: `nil` where it does not.
    public func mould(around hole: String, formTargets: String = "") -> PageMould? {
        let style = PageStyle.style(of: brand)
        return PageMould(document(style).text, around: hole, headers: headers(style, formTargets))
    }

    private func headers(_ style: PageStyle, _ formTargets: String) -> HTTPFields {
        var headers = HTTPFields()
        headers[.contentType] = "text/html; charset=utf-8"
        headers[.cacheControl] = "no-store"
        headers[.contentLanguage] = language.rawValue
        headers[.vary] = "Accept-Language"
        // The form's own request says where it comes from, so that a stranger's page can be told from this one; what
        // is said is the server's name and nothing of the path or the token.
        headers[.referrerPolicy] = "strict-origin"
        headers[.contentSecurityPolicy] =
            "default-src 'none'; style-src 'sha256-\(style.hash)'; \(brand.logo == nil ? "" : "img-src data:; ")"
            + (script == nil ? "" : "script-src 'self'; connect-src 'self'; ")
            + "base-uri 'none'; frame-ancestors 'none'; form-action 'self'" + formTargets
        return headers
    }

    /// What ``response(status:formTargets:)`` needs for a form whose answer leads to `url`. Browsers hold a form to
    /// this through every redirect that follows, also those that the app's own site makes, so hosts can't be named
    /// here.
    public static func formTargets(of url: String?) -> String {
        guard let scheme = url?.split(separator: ":", maxSplits: 1).first?.lowercased(),
            scheme.utf8.allSatisfy({
                (97...122).contains($0) || (48...57).contains($0) || "+-.".utf8.contains($0)
            })
        else { return "" }
        return scheme == "http" ? " http: https:" : " \(scheme):"
    }

    var html: String { document(PageStyle.style(of: brand)).text }

    private func document(_ style: PageStyle) -> HTML {
        let tab = isRefusal ? MessageCatalog.text(.refusedTitle, in: language, values: ["title": title]) : title
        return """
            <!doctype html>
            <html lang="\(language.rawValue)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="robots" content="noindex">
            <title>\(tab) · \(brand.name)</title>
            <style>\(HTML(markup: style.text))</style>\(scriptTag)
            </head>
            <body>
            <main\(isWide ? #" class="wide""# as HTML : "")>
            \(brand.header)
            <h1>\(title)</h1>
            \(content)
            </main>
            \(footer)
            </body>
            </html>

            """
    }

    private var scriptTag: HTML? {
        script.map { #"<script src="\#($0.url)" integrity="sha256-\#($0.hash)" defer></script>"# }
    }

    private var footer: HTML? {
        var parts: [HTML] = brand.links.map { link in
            let url = link.url.replacing("{language}", with: language.rawValue)
            return #"<a href="\#(url)">\#(MessageCatalog.text(link.text, in: language))</a>"#
        }
        parts += languages.map { place in
            place.language == language
                ? #"<span aria-current="true" lang="\#(place.language.rawValue)">\#(place.language.ownName)</span>"#
                : #"<a href="\#(place.url)" lang="\#(place.language.rawValue)" hreflang="\#(place.language.rawValue)">\#(place.language.ownName)</a>"#
        }
        let own: HTML? = PageWording.footer(in: language, of: brand.texts).map { "<p>\($0)</p>" }
        return parts.isEmpty && own == nil ? nil : "<footer>\n\(own)\(parts)\n</footer>"
    }

    package static func hiddenInputs(_ fields: [(name: String, value: String)]) -> HTML {
        let inputs: [HTML] = fields.map { #"<input type="hidden" name="\#($0.name)" value="\#($0.value)">"# }
        return "\(inputs)"
    }
}
