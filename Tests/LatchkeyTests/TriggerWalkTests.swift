// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Programs of the operator's that are written as functions of a pool, with a client that nobody here wrote.
@Suite(.timeLimit(.minutes(10))) struct TriggerWalkTests {
    @Test("R14.6 boto3 signs in users who are brought along, and by challenges that programs make and judge")
    func triggers() async throws {
        let directory = try Paths.temporaryDirectory()
        let result = try await Command.run(
            Paths.python, ["triggers_walk.py", Paths.latchkey.path, directory.path], in: Paths.clients)
        #expect(result.status == 0, "\(result.told)")
    }
}
