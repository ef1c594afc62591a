// SPDX-License-Identifier: Apache-2.0

/// `sqlite:PATH`, the one kind of database so far.
struct DatabasePath {
    let path: String

    init(_ text: String) throws {
        guard text.hasPrefix("sqlite:"), text.count > 7 else {
            throw CommandFailure("database: expected sqlite:PATH", .configuration)
        }
        path = String(text.dropFirst(7))
    }
}
