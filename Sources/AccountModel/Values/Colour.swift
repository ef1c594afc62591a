// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A colour as style sheets write it, and how well it is read on another.
public struct Colour: Sendable, Hashable, CustomStringConvertible {
    public let red: UInt8
    public let green: UInt8
    public let blue: UInt8

    public static let white = Colour(red: 255, green: 255, blue: 255)
    public static let black = Colour(red: 0, green: 0, blue: 0)

    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// `#rrggbb`, in either case (CSS Color 4, section 5.2). `nil` for any other text.
    public init?(_ text: String) {
        guard text.utf8.count == 7, text.utf8.first == UInt8(ascii: "#"),
            let bytes = Hex.decode(String(text.dropFirst()))
        else { return nil }
        self.init(red: bytes[0], green: bytes[1], blue: bytes[2])
    }

    public var description: String { "#" + Hex.encode([red, green, blue]) }

    /// From 1, which nobody sees, to 21 (WCAG 2.2, "contrast ratio").
    public func contrast(with other: Colour) -> Double {
        let (mine, theirs) = (luminance, other.luminance)
        return (max(mine, theirs) + 0.05) / (min(mine, theirs) + 0.05)
    }

    /// Between this colour, at 0, and another, at 1.
    public func mixed(with other: Colour, _ share: Double) -> Colour {
        func mix(_ from: UInt8, _ to: UInt8) -> UInt8 {
            UInt8(max(0, min(255, (Double(from) + (Double(to) - Double(from)) * share).rounded())))
        }
        return Colour(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }

    /// From 0 to 1 (WCAG 2.2, "relative luminance").
    private var luminance: Double {
        0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
    }

    private static func linear(_ channel: UInt8) -> Double {
        let value = Double(channel) / 255
        guard value > 0.04045 else { return value / 12.92 }
        // To the power of 2.4: the square, times the fifth root of the square.
        let base = (value + 0.055) / 1.055
        let square = base * base
        var root = 1.0
        for _ in 0..<40 { root -= (root - square / (root * root * root * root)) / 5 }
        return square * root
    }
}
