// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The measurements that need no server. `scripts/bench` runs them beside those over the wire and prints the ratios.
@main
struct LatchkeyBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "latchkey-bench", abstract: "Measure the raw operations and the store.",
        subcommands: [Argon2Rate.self, RSARate.self, ES256Rate.self, IDTokens.self, StoreScale.self])
}
