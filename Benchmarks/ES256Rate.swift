// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import JOSE

/// How many ES256 signatures one thread makes in a second, as the server makes them.
struct ES256Rate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "es256", abstract: "Count ES256 signatures a second, on one core.")

    @Option(help: "Seconds to measure for.")
    var seconds = 2.0

    func run() throws {
        let key = try SigningKey.generate(.es256)
        // Of the length of a usual access token's header and payload.
        let message = Array(repeating: UInt8(ascii: "e"), count: 900)
        let start = ContinuousClock.now
        let end = start.advanced(by: .seconds(seconds))
        var count = 0
        while ContinuousClock.now < end {
            _ = try key.signature(for: message)
            count += 1
        }
        print(Double(count) / ((ContinuousClock.now - start) / .seconds(1)))
    }
}
