// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// Sends what it is given in batches, some time. It never grows beyond its capacity: the oldest goes, and is counted.
/// Who gives it something does not wait, and does not learn what became of it.
final class TelemetryQueue<Item: Sendable>: Sendable {
    struct Limits: Sendable {
        var capacity = 500
        var batch = 50
        /// How long it waits for more before it sends.
        var interval = TimeSpan.seconds(10)
        var backoff = TelemetryBackoff()
    }
    private struct Inside {
        var items: [Item] = []
        var dropped = 0
        var worker: Task<Void, Never>?
        var isShut = false
    }

    private let inside = Guarded(Inside())
    private let limits: Limits
    private let transport: any HTTPTransport
    private let clock: any ClientClock
    private let random: any RandomSource
    private let request: @Sendable ([Item], Int) -> HTTPRequest

    /// - Parameter request: of a batch, and of how many were dropped before it.
    init(
        limits: Limits, transport: any HTTPTransport, clock: any ClientClock, random: any RandomSource,
        request: @escaping @Sendable ([Item], Int) -> HTTPRequest
    ) {
        self.limits = limits
        self.transport = transport
        self.clock = clock
        self.random = random
        self.request = request
    }

    /// How many wait.
    var count: Int { inside.value.items.count }

    func add(_ item: Item) {
        inside.withLock { inside in
            guard !inside.isShut else { return }
            inside.items.append(item)
            if inside.items.count > max(1, limits.capacity) {
                inside.items.removeFirst()
                inside.dropped += 1
            }
            // As long as there is something to send, one task sends it.
            if inside.worker == nil { inside.worker = Task { [self] in await work() } }
        }
    }

    /// Forgets everything, and whatever is under way.
    func shutdown() {
        let worker = inside.withLock { inside in
            inside.isShut = true
            inside.items = []
            inside.dropped = 0
            defer { inside.worker = nil }
            return inside.worker
        }
        worker?.cancel()
    }

    private func work() async {
        var failures = 0
        var wait = limits.interval
        do {
            while true {
                try await clock.wait(wait)
                guard let (batch, dropped) = take() else { return }
                switch await send(batch, dropped) {
                case .taken, .refused:
                    failures = 0
                    wait = limits.interval
                case .again(let asked):
                    put(back: batch, dropped)
                    failures += 1
                    let chance = random.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                    wait = max(limits.backoff.wait(after: failures, chance: chance), asked ?? .zero)
                }
            }
        } catch {
            // Shut down.
        }
    }

    /// `nil` where there is nothing left: the worker goes home in the same moment.
    private func take() -> ([Item], Int)? {
        inside.withLock { inside in
            guard !inside.isShut, !inside.items.isEmpty else {
                inside.worker = nil
                return nil
            }
            let batch = Array(inside.items.prefix(max(1, limits.batch)))
            inside.items.removeFirst(batch.count)
            defer { inside.dropped = 0 }
            return (batch, inside.dropped)
        }
    }

    private func put(back batch: [Item], _ dropped: Int) {
        inside.withLock { inside in
            guard !inside.isShut else { return }
            let room = max(0, max(1, limits.capacity) - inside.items.count)
            inside.items.insert(contentsOf: batch.suffix(room), at: 0)
            inside.dropped += dropped + batch.count - min(room, batch.count)
        }
    }

    private enum Outcome { case taken, refused, again(TimeSpan?) }

    private func send(_ batch: [Item], _ dropped: Int) async -> Outcome {
        // Between the taking and the sending the user may have withdrawn.
        guard !inside.value.isShut else { return .refused }
        guard let response = try? await transport.send(request(batch, dropped)) else { return .again(nil) }
        switch response.status {
        case 200..<300: return .taken
        case 408, 429, 500...:
            return .again(min(response.retryAfter ?? .zero, .hours(1)))
        // What is refused now is refused again.
        default: return .refused
        }
    }
}
