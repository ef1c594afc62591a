// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a user's row says in fewer words: the metadata of somebody whom one provider knows and of whom nothing else is
/// said are that provider's name, and a name that is written as its own key is written down once.
enum UserWords {
    private static let (provider, providers) = ("provider", "providers")

    /// - Throws: as `SQLValue(JSONObject)`.
    static func value(_ appMetadata: JSONObject) throws -> SQLValue {
        let names = appMetadata[providers]?.arrayValue ?? []
        guard appMetadata.count == 2, appMetadata.names.first == provider, names.count == 1,
            let name = appMetadata[provider]?.stringValue, let only = names[0].stringValue,
            isWord(name), name.utf8.elementsEqual(only.utf8)
        else { return try SQLValue(appMetadata) }
        return .text(name)
    }

    static func appMetadata(_ row: any SQLRow, _ index: Int) throws -> JSONObject {
        let text = try row.text(index)
        guard isWord(text) else { return try row.object(index) }
        return [provider: .string(text), providers: [.string(text)]]
    }

    /// Octet by octet: two compositions of one name have one key.
    static func value(_ name: Username?) -> SQLValue {
        name.map { $0.rawValue.utf8.elementsEqual($0.key.utf8) ? .null : .text($0.rawValue) } ?? .null
    }

    /// What no JSON object looks like.
    static func isWord(_ text: String) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte) }
        guard let first = text.utf8.first, isLetter(first), text.utf8.count <= 64 else { return false }
        return text.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) || "_-.:".utf8.contains($0) }
    }
}
