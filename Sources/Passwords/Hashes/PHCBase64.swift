// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Base64 with the standard alphabet and without padding, as the PHC string format writes salts and hashes.
enum PHCBase64 {
    static func encode(_ bytes: [UInt8]) -> String {
        String(
            Base64URL.encode(bytes).map { character in
                switch character {
                case "-": "+"
                case "_": "/"
                default: character
                }
            })
    }

    static func decode(_ text: String) -> [UInt8]? {
        guard !text.utf8.contains(UInt8(ascii: "-")), !text.utf8.contains(UInt8(ascii: "_")) else { return nil }
        return Base64URL.decode(
            String(
                text.map { character in
                    switch character {
                    case "+": "-"
                    case "/": "_"
                    default: character
                    }
                }))
    }
}
