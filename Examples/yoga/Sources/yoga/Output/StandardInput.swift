// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import LatchkeyClient

/// What is never an argument, since every process of the machine sees those.
enum StandardInput {
    /// The next line, asked for where somebody sits at a terminal, without showing what they type.
    static func secret(_ what: String) throws -> Secret<String> {
        let line = isatty(STDIN_FILENO) == 1 ? getpass("\(what): ").map { String(cString: $0) } : readLine()
        guard let line, !line.isEmpty else { throw ValidationError("\(what) is read from the standard input") }
        return Secret(line)
    }
}
