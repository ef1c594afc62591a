// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// One listener's letter box: it holds the last state alone, and hands over none twice.
final class StateListener: Sendable {
    private struct Box: Sendable {
        var latest: (key: ShownKey, state: AuthState)
        var taken: ShownKey?
        var waiter: CheckedContinuation<AuthState?, Never>?
        var isOver = false

        /// What is new to the listener.
        mutating func take() -> AuthState? {
            guard taken != latest.key else { return nil }
            taken = latest.key
            return latest.state
        }
    }

    private let box: Guarded<Box>
    private let leave: @Sendable () -> Void

    init(_ state: AuthState, _ key: ShownKey, leave: @escaping @Sendable () -> Void) {
        box = Guarded(Box(latest: (key, state)))
        self.leave = leave
    }

    deinit { leave() }

    func offer(_ state: AuthState, _ key: ShownKey) {
        let found = box.withLock { box -> (CheckedContinuation<AuthState?, Never>, AuthState)? in
            box.latest = (key, state)
            guard let waiter = box.waiter, let state = box.take() else { return nil }
            box.waiter = nil
            return (waiter, state)
        }
        if let (waiter, state) = found { waiter.resume(returning: state) }
    }

    /// The next state that is another than the one before. `nil` when there is none to come.
    func next() async -> AuthState? {
        await withCheckedContinuation { continuation in
            let (resumed, state) = box.withLock { box -> ([CheckedContinuation<AuthState?, Never>], AuthState?) in
                if let state = box.take() { return ([continuation], state) }
                if box.isOver { return ([continuation], nil) }
                // Of two who wait on one stream the later one goes on.
                defer { box.waiter = continuation }
                return (box.waiter.map { [$0] } ?? [], nil)
            }
            for waiter in resumed { waiter.resume(returning: state) }
        }
    }

    func end() {
        let waiter = box.withLock { box in
            box.isOver = true
            defer { box.waiter = nil }
            return box.waiter
        }
        waiter?.resume(returning: nil)
    }
}

/// Does not keep it: who listens does.
struct WeakListener: Sendable {
    weak let listener: StateListener?
}
