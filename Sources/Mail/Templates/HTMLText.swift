// SPDX-License-Identifier: Apache-2.0

/// Text for HTML.
enum HTMLText {
    /// Text that stands for itself in an element or in a quoted attribute. Goes by code point, as HTML is read.
    static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
