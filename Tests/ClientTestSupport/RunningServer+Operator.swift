// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import Subprocess
import SystemPackage

extension RunningServer {
    /// Runs a command of the operator's on the server's own database: `["client", "create", …]`.
    public func command(_ arguments: [String]) async throws -> JSONObject {
        let place = ["--database", "sqlite:.latchkey/development.sqlite", "--json"]
        let result = try await Subprocess.run(
            .path(FilePath(Self.executable)), arguments: Arguments(arguments + place),
            environment: Self.variables(), workingDirectory: FilePath(directory), input: .none,
            output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
        guard result.terminationStatus.isSuccess else {
            throw Failure("\(arguments.joined(separator: " ")): \(result.standardError)")
        }
        return try JSONObject(parsing: Array(result.standardOutput.utf8))
    }
}
