// SPDX-License-Identifier: Apache-2.0

import AccountModel

/// One property that every store must have, and the steps that show whether it has.
public struct ConformanceCase: Sendable, CustomStringConvertible {
    public let name: String
    private let body: @Sendable (World) async throws -> Void

    init(_ name: String, _ body: @Sendable @escaping (World) async throws -> Void) {
        self.name = name
        self.body = body
    }

    public var description: String { name }

    /// - Parameter store: an empty one, which nobody else uses meanwhile.
    /// - Throws: ``ConformanceFailure`` when the store does not have the property, or what the store threw.
    public func run(on store: any AccountStoring) async throws {
        try await body(try await World(store))
    }
}

/// What a store did that it must not do, and the line of the suite that saw it.
public struct ConformanceFailure: Error, CustomStringConvertible {
    public let description: String
}
