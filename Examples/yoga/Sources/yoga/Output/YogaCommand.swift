// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LatchkeyClient

/// A command that says in one line why it failed, and ends with 1 then.
protocol YogaCommand: AsyncParsableCommand {
    var output: Output { get }
    func act() async throws
}

extension YogaCommand {
    func run() async throws {
        do { try await act() } catch let error as AuthError {
            output.show(error)
            throw ExitCode.failure
        }
    }
}
