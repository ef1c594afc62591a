// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What makes a page the operator's own: name, logo, colours, and where the links below it lead.
public struct PageBrand: Sendable {
    public var name: String
    /// A `data:` URL.
    public var logo: String?
    public var light: PagePalette
    public var dark: PagePalette
    /// Words of the operator's own: see ``PageWording``.
    public var texts: [String: String]
    /// What stands below each page, and where it leads; `{language}` stands for the page's.
    package var links: [(text: PageText, url: String)]

    public init(_ settings: DirectorySettings) {
        let pages = settings.pages
        name = settings.mail.siteName
        logo = pages.logo
        light = .light(pages)
        dark = .dark(pages)
        texts = pages.texts
        links = [
            (PageText.privacy, pages.privacyURL), (.terms, pages.termsURL), (.help, pages.supportURL),
        ].compactMap { text, url in url.map { (text, $0) } }
    }

    /// Name and logo, as every page begins.
    var header: HTML {
        let mark: HTML =
            if let logo {
                #"<img src="\#(logo)" alt="" height="40">"#
            } else {
                #"<span class="mark" aria-hidden="true">\#(String(name.prefix(1)).uppercased())</span>"#
            }
        return #"<header class="brand">\#(mark)<span>\#(name)</span></header>"#
    }
}
