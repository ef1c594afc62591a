// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird

/// What became of a mailed link, where the browser is not sent on: a sentence, and a link to the app.
public struct NoticePage: Sendable {
    public var title: MessageKey
    public var message: MessageKey
    public var brand: PageBrand
    public var language: MessageLanguage
    /// Where the app is; checked already. `nil` for a page that leads nowhere.
    public var target: String?

    public init(
        title: MessageKey, message: MessageKey, brand: PageBrand, language: MessageLanguage, target: String? = nil
    ) {
        self.title = title
        self.message = message
        self.brand = brand
        self.language = language
        self.target = target
    }

    public func response(status: HTTPResponse.Status = .ok) -> Response { frame.response(status: status) }

    var html: String { frame.html }

    private var frame: PageFrame {
        let link: HTML? = target.map { #"<p><a class="button" href="\#($0)">\#(text(.linkButton))</a></p>"# }
        return PageFrame(
            title: text(title), brand: brand, language: language, content: "<p>\(text(message))</p>\n\(link)")
    }

    private func text(_ key: MessageKey) -> String { MessageCatalog.text(key, in: language) ?? "" }
}
