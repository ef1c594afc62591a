// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Accounts that strangers open with other people's addresses, over a socket (ADR 0089).
@Suite(.timeLimit(.minutes(5))) struct StrangerWalkTests {
    @Test("R12.2 R47 R48 whichever dialect opens it, and whichever message its owner comes by, it is the owner's")
    func stranger() async throws {
        try await RunningServer.run(environment: [
            "LATCHKEY_DIRECTORY_SITE_URL": "http://localhost:3000", "LATCHKEY_PASSWORDS_MEMORY_KIB": "8",
            "LATCHKEY_PASSWORDS_ITERATIONS": "1",
        ]) { server in
            let result = try await Command.run(Paths.python, ["stranger_walk.py", server.url], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }
}
