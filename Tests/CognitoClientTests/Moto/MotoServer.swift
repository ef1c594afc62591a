// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Foundation
import Subprocess
import SystemPackage
import Testing

/// moto, a Cognito that nobody here wrote, on a free loopback port. It keeps everything in memory, answers an
/// operator's calls without a signature, and knows no SRP: what its challenges hold is no Base64, and any answer is
/// right.
struct MotoServer: Sendable {
    static let region = "us-east-1"
    /// With a slash at its end.
    let url: String

    /// That of the suite that a test is in.
    @TaskLocal static var current: MotoServer?

    /// It ends with the input, so that none outlives the tests.
    private static let program = """
        import sys
        from moto.server import ThreadedMotoServer
        server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
        server.start()
        print("http://%s:%d/" % server.get_host_and_port(), flush=True)
        sys.stdin.read()
        """

    static func run(_ body: @Sendable (MotoServer) async throws -> Void) async throws {
        let package = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        _ = try await Subprocess.run(
            .path(FilePath(package.appending(path: ".build-clients/bin/python").path())), arguments: ["-c", program],
            input: .inputWriter, output: .sequence, error: .discarded
        ) { execution in
            var lines = execution.standardOutput.strings(bufferingPolicy: .unbounded).makeAsyncIterator()
            let url = try #require(try await lines.next(), "moto is not installed: scripts/setup --tests")
            try await body(MotoServer(url: url.trimmingCharacters(in: .whitespacesAndNewlines)))
            try await execution.standardInputWriter.finish()
        }
    }

    /// What an operator asks.
    func operate(_ operation: String, _ input: JSONObject, of service: String = "IdentityProvider") async throws
        -> JSONObject
    {
        let request = HTTPRequest(
            "POST", url,
            headers: [
                HTTPHeader("Content-Type", "application/x-amz-json-1.1"),
                HTTPHeader("X-Amz-Target", "AWSCognito\(service)Service.\(operation)"),
            ], body: input.serialized())
        let answer = try await SystemTransport().send(request)
        try #require(answer.status == 200, "\(operation): \(String(decoding: answer.body, as: UTF8.self))")
        return try JSONObject(parsing: answer.body)
    }
}

/// One server for all tests of a suite.
struct MotoTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await MotoServer.run { server in
            try await MotoServer.$current.withValue(server) { try await function() }
        }
    }
}

extension Trait where Self == MotoTrait {
    static var moto: Self { Self() }
}
