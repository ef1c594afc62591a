// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The real executable over a database that another server has left, which the walk makes for itself.
@Suite(.timeLimit(.minutes(10))) struct TakeOverWalkTests {
    @Test("A platform's database is taken over whatever dies meanwhile, and its clients go on with what they had")
    func takeOver() async throws {
        let directory = try Paths.temporaryDirectory()
        let support = Paths.package.appendingPathComponent("Tests/AccountStorePostgresTests/Support").path
        let result = try await Command.run(
            Paths.python, ["takeover_walk.py", Paths.latchkey.path, directory.path, support], in: Paths.clients)
        #expect(result.status == 0, "\(result.told)")
    }
}
