// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LatchkeyClient

struct Watch: YogaCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print each change of state, also by another yoga on the same store, until it is ended.")

    @Option(help: "End by itself after so many seconds.")
    var seconds: Int?
    @OptionGroup var output: Output

    func validate() throws {
        if let seconds, seconds < 0 { throw ValidationError("--seconds is not below 0") }
    }

    func act() async throws {
        let service = try await Studio.open(output: output).service
        let output = output
        let printing = Task {
            for await state in service.states() { output.show(state.line, state.object) }
        }
        var passed = 0
        while passed != seconds {
            try await Task.sleep(for: .seconds(1))
            service.storeChanged()
            passed += 1
        }
        printing.cancel()
    }
}
