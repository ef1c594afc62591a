// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import Foundation
import Subprocess
import SystemPackage
import Testing

/// The terminal app of Examples/yoga, built with the tests, walked by its own script against a server.
@Suite(.runningServer, .timeLimit(.minutes(5))) struct YogaWalkTests {
    @Test(
        "R13.9 Y-US1 Y-US2 Y-US3 Y-US4 Y-US5 H-12 C-1 C-11 F-1 F-4 G-3 G-6 G-9 G-10.4 Each document's story, from the sign-in to the sign-out, by an app for the terminal and browsers that are scripts",
        arguments: [
            "cognito-hosted", "cognito-hybrid", "cognito-password", "firebase", "supabase", "latchkey", "life-supabase",
            "life-cognito", "life-firebase",
            "life-latchkey", "life-cognito-device",
        ])
    func walk(_ story: String) async throws {
        try await walk(story, at: #require(RunningServer.current))
    }

    @Test("R14.8 G-11 Terms that everybody is asked for, at a server where nobody else walks")
    func terms() async throws {
        try await RunningServer.run { server in try await walk("terms", at: server) }
    }

    private func walk(_ story: String, at server: RunningServer) async throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Examples/yoga/walk")
        let bundle = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        let yoga = bundle.deletingLastPathComponent().appending(path: "latchkey-yoga").path
        let result = try await Subprocess.run(
            .name("python3"), arguments: ["-B", script.path, server.url, story],
            environment: .inherit.updating(["YOGA": yoga]), input: .none, output: .string(limit: 1 << 20),
            error: .string(limit: 1 << 20))
        let said = result.standardOutput.split(separator: "\n").suffix(12).joined(separator: "\n")
        #expect(result.terminationStatus.isSuccess, "\(said)\n\(result.standardError)")
    }
}
