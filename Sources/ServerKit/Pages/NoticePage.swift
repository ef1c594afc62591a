// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird

/// What became of a mailed link, where the browser is not sent on: what is so now, and where one may go from here.
public struct NoticePage: Sendable {
    /// A way on: what its button says, and where it leads; checked already.
    public typealias Way = (text: String, url: String)

    public var title: String
    /// A sentence each.
    public var lines: [String]
    /// Whether something that was wanted did not happen.
    public var isRefusal = false
    public var brand: PageBrand
    public var language: MessageLanguage
    /// The first is the one that most will want; empty for a page that leads nowhere.
    public var ways: [Way] = []
    /// Where the same page is in each language.
    public var languages: [(language: MessageLanguage, url: String)] = []

    public init(title: String, lines: [String], brand: PageBrand, language: MessageLanguage, ways: [Way] = []) {
        self.title = title
        self.lines = lines
        self.brand = brand
        self.language = language
        self.ways = ways
    }

    /// A link that does nothing any more, or never did: which kind it was says how one comes by another.
    ///
    /// - Parameter ways: where another is asked for.
    package static func deadLink(
        _ way: PageText, brand: PageBrand, language: MessageLanguage, ways: [Way]
    ) -> NoticePage {
        func text(_ text: PageText) -> String { MessageCatalog.text(text, in: language) }
        var page = NoticePage(
            title: text(.linkDead), lines: [text(.linkDeadLead), text(way)], brand: brand, language: language,
            ways: ways)
        page.isRefusal = true
        return page
    }

    public func response(status: HTTPResponse.Status = .ok) -> Response { frame.response(status: status) }

    var html: String { frame.html }

    private var frame: PageFrame {
        let lead: [HTML] = lines.map { #"<p class="lead">\#($0)</p>"# }
        let buttons: [HTML] = ways.enumerated().map { index, way in
            index == 0
                ? #"<a class="button" href="\#(way.url)">\#(way.text)</a>"#
                : #"<a class="button quiet" href="\#(way.url)">\#(way.text)</a>"#
        }
        let row: HTML? = buttons.isEmpty ? nil : #"<p class="pair">\#(buttons)</p>"#
        var frame = PageFrame(title: title, brand: brand, language: language, content: "\(lead)\n\(row)")
        frame.isRefusal = isRefusal
        frame.languages = languages
        return frame
    }
}
