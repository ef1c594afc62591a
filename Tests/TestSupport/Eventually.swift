// SPDX-License-Identifier: Apache-2.0

/// Gives way to the others until something holds that they bring about: how a test waits for what it is told of in no
/// other way. No time has to pass; the minute after which it gives up is for the machine that runs the tests, and
/// nothing is measured by it.
///
/// - Parameters:
///   - what: what is awaited, as the failure is to say it.
///   - holds: asked again and again. It may push on what it waits for, as a clock that a test sets.
/// - Throws: ``WaitedInVain`` after a minute, and where the task is cancelled. What still waits for the test must not
///   be left waiting by that: a task group ends with its tasks, so a gate is opened in a `defer`.
public func eventually(
    _ what: String, fileID: String = #fileID, line: Int = #line, _ holds: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while try await !holds() {
        guard !Task.isCancelled, ContinuousClock.now < end else {
            throw WaitedInVain(description: "waited in vain until \(what) (\(fileID):\(line))")
        }
        await Task.yield()
    }
}

/// What a test waited for has not come.
public struct WaitedInVain: Error, CustomStringConvertible {
    public let description: String
}
