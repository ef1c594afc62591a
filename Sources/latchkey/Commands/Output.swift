// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation

/// What a command prints: results on standard output, everything else on standard error.
enum Output {
    static func line(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }

    static func error(_ text: String) {
        FileHandle.standardError.write(Data(("latchkey: " + text + "\n").utf8))
    }

    static func progress(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    static func json(_ value: JSONValue) { line(value.text) }

    /// Rows under headings, each column as wide as its widest value.
    static func table(_ headings: [String], _ rows: [[String]]) {
        let widths = headings.indices.map { column in
            ([headings] + rows).map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
        }
        for row in [headings] + rows {
            var text = ""
            for (value, width) in zip(row, widths) {
                text += value + String(repeating: " ", count: max(0, width - value.count) + 2)
            }
            while text.last == " " { text.removeLast() }
            line(text)
        }
    }
}
