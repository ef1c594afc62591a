// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation

/// A folder that goes with whoever holds it.
public final class TemporaryFolder: Sendable {
    public let url: URL

    public init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("latchkey-bench-" + SystemRandomSource().uuid())
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
