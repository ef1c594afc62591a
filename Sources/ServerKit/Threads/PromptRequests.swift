// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird

/// The requests that are answered on their connection's own thread (ADR 0033). All others, and every one with more than a little
/// content, are answered by the threads of the program's tasks.
///
/// What such a request does for itself takes some tenths of a millisecond at most: a few reads by an index, a signature on a curve.
/// What takes longer (hashing, flushes, scans, RSA signatures) it leaves to the threads that are for it, and waits.
public struct PromptRequests: Sendable {
    /// Octets of content. To read a document takes as long as it is.
    static let mostContent = 16 << 10

    private let paths: Set<String>

    /// - Parameter paths: of the operations, whatever their methods; none with a variable part.
    public init(_ paths: [String]) {
        self.paths = Set(paths)
    }

    func contains(_ request: Request) -> Bool {
        guard paths.contains(request.uri.path) else { return false }
        guard request.method != .get else { return true }
        guard let length = request.headers.value(.contentLength).flatMap({ Int($0) }) else {
            return !request.headers.contains(.transferEncoding)
        }
        return length <= Self.mostContent
    }
}
