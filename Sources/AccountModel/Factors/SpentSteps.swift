// SPDX-License-Identifier: Apache-2.0

/// The time steps of an authenticator app whose codes were shown and are good no more (RFC 6238, section 5.2), for as long as
/// they would be taken otherwise.
public struct SpentSteps: Sendable, Hashable {
    /// More than are taken at any time: others lie ahead of a clock that was set back.
    private static let most = 64

    /// In the order in which they were shown.
    public private(set) var steps: [Int64]

    public init(_ steps: [Int64] = []) {
        self.steps = steps
    }

    public func contains(_ step: Int64) -> Bool { steps.contains(step) }

    /// With one more.
    ///
    /// - Parameter isOver: whether no code of the step is taken any more.
    public func adding(_ step: Int64, forgetting isOver: (Int64) -> Bool) -> SpentSteps {
        SpentSteps((steps.filter { !isOver($0) } + [step]).suffix(Self.most))
    }
}
