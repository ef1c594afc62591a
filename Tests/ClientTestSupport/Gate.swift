// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// Opens once. Whoever comes before waits.
public actor Gate {
    private var isOpen = false
    private var isReached = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    public init() {}

    public func pass() async {
        isReached = true
        if isOpen { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Returns as soon as somebody stands before it, or has passed.
    public func untilReached() async throws {
        try await eventually("somebody comes to the gate") { isReached }
    }

    public func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}
