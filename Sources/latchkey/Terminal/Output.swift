// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation

/// What a command prints: results on standard output, everything else on standard error.
///
/// The process does without the signal of a broken pipe, since that would end a server whose client goes away, and a
/// command in the midst of a change. A command whose results nobody reads any more ends when it next has one, quietly,
/// as any other does.
enum Output {
    static func line(_ text: String) {
        switch write(text + "\n", to: STDOUT_FILENO) {
        case 0: break
        case EPIPE:
            signal(SIGPIPE, SIG_DFL)
            raise(SIGPIPE)
            // As a shell says that a signal has ended it, where the signal is kept off.
            Foundation.exit(128 + SIGPIPE)
        case let code:
            error("standard output: \(String(cString: strerror(code)))")
            Foundation.exit(CommandFailure.Code.failure.rawValue)
        }
    }

    /// What a server says of itself: it goes on though nobody reads it.
    static func announcement(_ text: String) { _ = write(text + "\n", to: STDOUT_FILENO) }

    static func error(_ text: String) { _ = write("latchkey: " + text + "\n", to: STDERR_FILENO) }

    static func progress(_ text: String) { _ = write(text + "\n", to: STDERR_FILENO) }

    static func json(_ value: JSONValue) { line(value.text) }

    /// What a command lists: for programs an array of objects, for people rows under headings.
    static func list<Item>(
        _ items: some Sequence<Item>, under headings: [String], asJSON isJSON: Bool, row: (Item) -> [String],
        object: (Item) -> JSONObject
    ) {
        if isJSON {
            json(.array(items.map { .object(object($0)) }))
        } else {
            table(headings, items.map(row))
        }
    }

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

    /// - Returns: 0 once the whole text is written; else why it is not, as errno(3) has it.
    private static func write(_ text: String, to descriptor: Int32) -> Int32 {
        var rest = Array(text.utf8)
        while !rest.isEmpty {
            let written = Foundation.write(descriptor, rest, rest.count)
            if written > 0 {
                rest.removeFirst(written)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}
