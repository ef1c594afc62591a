// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LatchkeyClient

struct Hammer: YogaCommand {
    static let configuration = CommandConfiguration(abstract: "Call the app's API many times at once.")

    @Argument(help: "How many calls.")
    var calls: Int
    @Flag(help: "Play an API that refuses the token that is there now, as it does an expired one.")
    var expired = false
    @OptionGroup var output: Output

    func validate() throws {
        guard (1...100_000).contains(calls) else { throw ValidationError("1 to 100000 calls") }
    }

    func act() async throws {
        let count = RefreshCount()
        let studio = try await Studio.open(output: output) { CountingBackend($0, count) }
        let refused = expired ? try await studio.service.accessToken() : nil
        let before = count.value
        let client = try studio.api { next in
            RefusingTransport(next: next, refused: refused) { count.value > before }
        }
        let clock = ContinuousClock()
        let start = clock.now
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<calls { group.addTask { try await client.send("GET", "/v1/me").status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let elapsed = start.duration(to: clock.now) / .milliseconds(1)
        let succeeded = statuses.filter { $0 == 200 }.count
        let refreshes = count.value - before
        output.show(
            "\(calls) calls, \(succeeded) answered with 200, \(refreshes) refreshes, \(Int(elapsed)) ms",
            [
                "calls": .integer(Int64(calls)), "succeeded": .integer(Int64(succeeded)),
                "refreshes": .integer(Int64(refreshes)), "milliseconds": .integer(Int64(elapsed)),
            ])
        if succeeded < calls { throw ExitCode.failure }
    }
}
