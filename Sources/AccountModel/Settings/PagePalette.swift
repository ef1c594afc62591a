// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The colours of the pages that this server shows people, by daylight or at night, as far as an operator may choose
/// them: what they choose must be readable beside what they can't.
public struct PagePalette: Sendable, Hashable {
    /// What text needs beside what it stands on (WCAG 2.2, criterion 1.4.3).
    public static let leastContrast = 4.5

    /// What forms and texts stand on.
    public var paper: Colour
    /// Of lesser texts.
    public var dim: Colour
    /// Of buttons and links.
    public var accent: Colour
    /// Around the paper.
    public var background: Colour

    public static let light = PagePalette(
        paper: .white, dim: Colour(red: 0x50, green: 0x59, blue: 0x66),
        accent: Colour(red: 0x1D, green: 0x5B, blue: 0xC9),
        background: Colour(red: 0xF3, green: 0xF5, blue: 0xF8))
    public static let dark = PagePalette(
        paper: Colour(red: 0x17, green: 0x1B, blue: 0x21), dim: Colour(red: 0xAB, green: 0xB4, blue: 0xC1),
        accent: Colour(red: 0x8A, green: 0xB4, blue: 0xFF), background: Colour(red: 0x0E, green: 0x11, blue: 0x15))

    /// Of the text on a button.
    public var onAccent: Colour {
        accent.contrast(with: .white) >= Self.leastContrast ? .white : .black
    }

    /// The page's colours with those of a Directory. One that chose an accent for the day alone has it at night too,
    /// brightened until it can be read.
    public static func light(_ pages: DirectorySettings.Pages) -> PagePalette {
        var palette = light
        if let accent = pages.accent.flatMap(Colour.init) { palette.accent = accent }
        if let background = pages.background.flatMap(Colour.init) { palette.background = background }
        return palette
    }

    /// See ``light(_:)``.
    public static func dark(_ pages: DirectorySettings.Pages) -> PagePalette {
        var palette = dark
        if let accent = pages.accentDark.flatMap(Colour.init) {
            palette.accent = accent
        } else if let accent = pages.accent.flatMap(Colour.init) {
            let shares = stride(from: 0.0, through: 1, by: 0.05)
            palette.accent =
                shares.lazy.map { accent.mixed(with: .white, $0) }
                .first { $0.contrast(with: palette.paper) >= leastContrast } ?? palette.accent
        }
        if let background = pages.backgroundDark.flatMap(Colour.init) { palette.background = background }
        return palette
    }
}

/// A colour of ``PagePalette`` that an operator may choose.
public enum PageColour: Sendable, Hashable {
    case accent
    case accentDark
    case background
    case backgroundDark

    /// What must be readable on it, or it on that.
    private var counterpart: (colour: Colour, name: String) {
        switch self {
        case .accent: (PagePalette.light.paper, "the paper of pages")
        case .accentDark: (PagePalette.dark.paper, "the paper of pages at night")
        case .background: (PagePalette.light.dim, "the text around the paper")
        case .backgroundDark: (PagePalette.dark.dim, "the text around the paper at night")
        }
    }

    func accepts(_ text: String) -> Bool {
        Colour(text).map { $0.contrast(with: counterpart.colour) >= PagePalette.leastContrast } ?? false
    }

    var description: String {
        "a colour as #rrggbb whose contrast with \(counterpart.name), \(counterpart.colour), is at least "
            + "\(PagePalette.leastContrast):1"
    }
}
