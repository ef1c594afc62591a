// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Mustache

/// The templates of pages, with values escaped as HTML is read (``HTMLText``). The library's own escaping goes by
/// grapheme: it leaves a `<` alone that a combining mark follows.
struct PageTemplates: Sendable {
    private struct EscapedText: MustacheContentType {
        func escapeText(_ text: String) -> String { HTMLText.escaped(text) }
    }

    private let library: MustacheLibrary

    /// - Throws: When a template does not compile.
    init(_ templates: [String: String]) throws {
        MustacheContentTypes.register(EscapedText(), named: "PAGE")
        library = MustacheLibrary(
            templates: try templates.mapValues { try MustacheTemplate(string: "{{% CONTENT_TYPE:PAGE}}" + $0) })
    }

    func render(_ model: Any, with name: String) -> String { library.render(model, withTemplate: name) ?? "" }
}
