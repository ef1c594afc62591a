// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a request does to one field: leaves it, empties it, or writes it.
public enum FieldChange<Value: Sendable & Equatable>: Sendable, Equatable {
    case keep
    case clear
    case set(Value)

    func applied(to value: inout Value?) {
        switch self {
        case .keep: break
        case .clear: value = nil
        case .set(let new): value = new
        }
    }
}

/// A change of a profile, each value already checked.
public struct ProfileChanges: Sendable, Equatable {
    public private(set) var name: FieldChange<String> = .keep
    public private(set) var picture: FieldChange<String> = .keep
    public private(set) var locale: FieldChange<String> = .keep

    public var isEmpty: Bool { self == ProfileChanges.none }
    private static let none = ProfileChanges(unchecked: ())

    private init(unchecked: Void) {}

    /// - Parameters:
    ///   - name: 1 to 200 code points once blanks around it are gone, no control characters.
    ///   - picture: an `https` URL of at most 2,048 bytes, without user information.
    ///   - locale: a BCP 47 language tag of at most 35 bytes, such as `de-CH`.
    /// - Throws: `AuthErrorCode.invalidRequest` naming the field.
    public init(
        name: FieldChange<String> = .keep, picture: FieldChange<String> = .keep, locale: FieldChange<String> = .keep
    ) throws(AuthError) {
        if case .set(let text) = name { self.name = .set(try Self.name(text)) } else { self.name = name }
        if case .set(let text) = picture, !Self.isPicture(text) {
            throw AuthError(.invalidRequest, reason: "not an https URL", field: "picture")
        }
        if case .set(let text) = locale, !Self.isLocale(text) {
            throw AuthError(.invalidRequest, reason: "not a BCP 47 language tag", field: "locale")
        }
        self.picture = picture
        self.locale = locale
    }

    private static func name(_ text: String) throws(AuthError) -> String {
        var scalars = Array(text.unicodeScalars)
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        let trimmed = scalars.drop { $0.properties.isWhitespace }
        // Cc, and the format characters that reorder text: a name must not rewrite the line it is shown in.
        let isPlain = trimmed.allSatisfy {
            $0.properties.generalCategory != .control && !(0x202A...0x202E).contains($0.value)
                && !(0x2066...0x2069).contains($0.value) && $0.properties.generalCategory != .lineSeparator
                && $0.properties.generalCategory != .paragraphSeparator
        }
        guard (1...200).contains(trimmed.count), isPlain else {
            throw AuthError(.invalidRequest, reason: "1 to 200 characters, no control characters", field: "name")
        }
        var name = String.UnicodeScalarView()
        name.append(contentsOf: trimmed)
        return String(name)
    }

    /// Printable ASCII only: a browser and a server then agree on which host it names.
    static func isPicture(_ text: String) -> Bool {
        // The octets first: to compare other text as text takes marks into order (``StreamSafeText``).
        guard text.utf8.count <= 2048,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) }),
            text.lowercased().hasPrefix("https://")
        else { return false }
        let authority = text.dropFirst(8).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return !authority.isEmpty && !authority.hasPrefix(":") && !authority.contains("@")
    }

    /// RFC 5646, section 2.1, in shape: subtags of 1 to 8 letters and digits, the first of 2 to 8 letters.
    static func isLocale(_ text: String) -> Bool {
        let subtags = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard text.utf8.count <= 35, let first = subtags.first, (2...8).contains(first.count) else { return false }
        func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 0x20) }
        return first.allSatisfy(isLetter)
            && subtags.dropFirst().allSatisfy { subtag in
                (1...8).contains(subtag.count) && subtag.allSatisfy { isLetter($0) || (48...57).contains($0) }
            }
    }
}
