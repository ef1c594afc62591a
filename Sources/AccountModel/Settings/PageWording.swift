// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// An operator's own words on the pages of a Directory, in place of those that the pages come with: by names such as
/// `signIn.title.en` or `footer.de`.
///
/// There are these texts and no others, each of a bounded length, so that whatever an operator writes, the page still
/// says what it is for, has a heading, and fits.
public enum PageWording {
    /// A page whose words may be the operator's.
    public enum Page: String, Sendable, CaseIterable {
        case signIn
        case signUp
        case confirm
        case forgot
        case reset
        case invitation
        case newPassword
        case password
        case secondFactor
        case newFactor
        case backupCodes
        case choose
        case consent
        case account
        case signOut
        case signedOut
        case terms

        /// What the page's texts may name in braces, each given where it is known.
        public var values: [String] {
            switch self {
            case .signIn, .signUp, .consent: ["app"]
            case .confirm, .reset, .invitation: ["address"]
            case .choose: ["app", "user"]
            case .password, .account, .secondFactor: ["user"]
            case .forgot, .newPassword, .newFactor, .backupCodes, .signOut, .signedOut, .terms: []
            }
        }
    }

    /// A part of a page.
    public enum Part: String, Sendable, CaseIterable {
        case title
        /// What stands below the heading; empty for nothing.
        case lead
        /// Of the page's first button.
        case button

        /// In characters.
        var limit: Int {
            switch self {
            case .title: 80
            case .lead: footerLimit
            case .button: 40
            }
        }
    }

    /// What stands below every page.
    static let footer = "footer"
    static let footerLimit = 300

    /// As the setting names it.
    public static func name(_ page: Page, _ part: Part, in language: MessageLanguage) -> String {
        "\(page.rawValue).\(part.rawValue).\(language.rawValue)"
    }

    /// The operator's own text, with what it names filled in; `nil` where there is none, or where it names what is not
    /// known here.
    public static func text(
        _ page: Page, _ part: Part, in language: MessageLanguage, of texts: [String: String],
        values: [String: String] = [:]
    ) -> String? {
        texts.isEmpty ? nil : texts[name(page, part, in: language)].flatMap { MessageCatalog.fill($0, values) }
    }

    public static func footer(in language: MessageLanguage, of texts: [String: String]) -> String? {
        texts["\(footer).\(language.rawValue)"]
    }

    /// What is the matter with a text of this name; `nil` for nothing.
    static func fault(_ name: String, _ text: String) -> String? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let language = parts.last, MessageLanguage(rawValue: language) != nil else {
            return "\(name.prefix(60)) names no language of the pages"
        }
        let (limit, values, mayBeEmpty): (Int, [String], Bool)
        if parts.count == 2, parts[0] == footer {
            (limit, values, mayBeEmpty) = (footerLimit, [], false)
        } else if parts.count == 3, let page = Page(rawValue: parts[0]), let part = Part(rawValue: parts[1]) {
            (limit, values, mayBeEmpty) = (part.limit, page.values, part == .lead)
        } else {
            return "there is no text \(name.prefix(60))"
        }
        guard text.unicodeScalars.count <= limit else { return "\(name) has more than \(limit) characters" }
        guard mayBeEmpty || text.contains(where: { !$0.isWhitespace }) else { return "\(name) is empty" }
        guard StreamSafeText.accepts(text), text.unicodeScalars.allSatisfy({ !isBreak($0) }) else {
            return "\(name) has a line break or a control character"
        }
        guard MessageCatalog.fill(text, Dictionary(uniqueKeysWithValues: values.map { ($0, "") })) != nil else {
            let known = values.map { "{\($0)}" }.joined(separator: " and ")
            return "\(name) may have in braces \(known.isEmpty ? "nothing" : known)"
        }
        return nil
    }

    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
        default: false
        }
    }

    /// Names the texts, for whoever writes some.
    static var description: String {
        "texts by name: PAGE.title (80 characters), PAGE.lead (300), PAGE.button (40) and footer (300), each followed by "
            + MessageLanguage.allCases.map { ".\($0.rawValue)" }.joined(separator: " or ") + ", where PAGE is "
            + Page.allCases.map(\.rawValue).joined(separator: ", ")
    }
}
