// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension DirectorySettings {
    /// How the pages look that this server itself shows people. Their name is ``MailSettings/siteName``.
    public struct Pages: Sendable, Equatable {
        /// A `data:` URL of an image, so that no page fetches anything.
        public var logo: String?
        /// `#rrggbb`; `nil` for the page's own: see ``PagePalette``.
        public var accent: String?
        public var accentDark: String?
        public var background: String?
        public var backgroundDark: String?
        /// Where the links below each page lead; `nil` for none.
        public var privacyURL: String?
        public var termsURL: String?
        public var supportURL: String?

        /// Words of the operator's own, by the names that ``PageWording`` has.
        public var texts: [String: String] = [:]

        public init() {}
    }

    static let appearance: Table = [
        optional(
            "pages.logo", \.pages.logo, .image(16 << 10), default: "the name's first letter", "an image beside the name"
        ),
        optional(
            "pages.accent", \.pages.accent, .colour(.accent), default: "\(PagePalette.light.accent)",
            "of buttons and links by daylight"),
        optional(
            "pages.accentDark", \.pages.accentDark, .colour(.accentDark),
            default: "\(PagePalette.dark.accent), or what pages.accent is at night", "the same at night"),
        optional(
            "pages.background", \.pages.background, .colour(.background),
            default: "\(PagePalette.light.background)", "around what pages say, by daylight"),
        optional(
            "pages.backgroundDark", \.pages.backgroundDark, .colour(.backgroundDark),
            default: "\(PagePalette.dark.background)", "the same at night"),
        optional("pages.privacyURL", \.pages.privacyURL, .link, default: "none", "what pages link as privacy policy"),
        optional("pages.termsURL", \.pages.termsURL, .link, default: "none", "what pages link as terms of service"),
        optional("pages.supportURL", \.pages.supportURL, .link, default: "none", "where pages say there is help"),
        .texts(
            "pages.texts", \.pages.texts, form: .wording, key: "directory.pages.texts",
            "words of your own on the pages, in place of those that they come with: a JSON object"),
    ]

    private static func optional(
        _ path: String, _ place: any WritableKeyPath<DirectorySettings, String?> & Sendable, _ form: SettingForm,
        default defaultWords: String, _ summary: String
    ) -> Setting<DirectorySettings> {
        // As variables are named: a word has one capital.
        let key = "directory." + (path.hasSuffix("URL") ? path.dropLast(3) + "Url" : path)
        return Setting(path, form, key: key, default: defaultWords, summary, risk: "") {
            $0[keyPath: place].map { .string($0) }
        } write: { settings, value throws(AuthError) in
            guard value.isNull || value.stringValue != nil else { return false }
            settings[keyPath: place] = value.stringValue
            return true
        }
    }
}
