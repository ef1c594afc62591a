// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import JOSE
import TokenVerifier

/// `token-bench prepare FILE` makes keys and tokens; `token-bench measure FILE` prints what judging them costs, as
/// JSON.
@main
enum TokenBench {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { throw Usage() }
        switch arguments[1] {
        case "prepare": try Fixture.make().write(to: arguments[2])
        case "measure": print(try await Measurement(Fixture.read(arguments[2])).run().text)
        default: throw Usage()
        }
    }

    struct Usage: Error, CustomStringConvertible {
        var description: String { "token-bench prepare|measure FILE" }
    }
}
