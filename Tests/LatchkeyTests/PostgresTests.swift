// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The real executable on PostgreSQL, which each walk starts for itself on a socket, kills and starts again.
@Suite(.timeLimit(.minutes(10))) struct PostgresTests {
    @Test("A server on PostgreSQL outlives its own death and its database's: it says so meanwhile, and loses nothing")
    func faults() async throws { try await walk("postgres_walk.py") }

    @Test("Everything moves from SQLite to PostgreSQL and back, compared row by row, with every session alive")
    func moves() async throws { try await walk("database_walk.py") }

    @Test("A network that is cut at any byte loses nothing that was acknowledged, and does nothing twice")
    func network() async throws { try await walk("postgres_network_walk.py") }

    @Test("Over TLS it knows its database by the certificate, and tells nobody else who may enter")
    func tls() async throws { try await walk("postgres_tls_walk.py") }

    @Test(
        "Of two, three and five servers one is killed each second: nothing acknowledged is lost, nothing is taken twice"
    )
    func storm() async throws { try await walk("storm_walk.py", "12") }

    @Test(
        "In the place of the platform's server an app's keys, triggers and policies go on, and nobody is seen in one table only"
    )
    func mirror() async throws { try await walk("mirror_walk.py") }

    @Test("A call that apps make often waits for PostgreSQL seldom, and for nobody as often as for somebody")
    func trips() async throws { try await walk("postgres_trips_walk.py") }
    @Test("Without connections, disk or time, and failed over to its replica, the database loses nothing acknowledged")
    func limits() async throws { try await walk("postgres_limits_walk.py") }

    private func walk(_ script: String, _ more: String...) async throws {
        let directory = try Paths.temporaryDirectory()
        let support = Paths.package.appendingPathComponent("Tests/AccountStorePostgresTests/Support").path
        let result = try await Command.run(
            Paths.python, [script, Paths.latchkey.path, directory.path, support] + more, in: Paths.clients)
        #expect(result.status == 0, "\(result.told)")
    }
}
