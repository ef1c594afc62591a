// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `latchkey token`: look at tokens of any issuer. Neither command opens a database or reads a configuration.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Check or decode tokens, read from standard input, one a line.",
        subcommands: [Verify.self, Inspect.self])
}
