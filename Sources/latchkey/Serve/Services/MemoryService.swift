// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerKit
import ServiceLifecycle

/// Gives memory back to the system that a time of load has left behind.
///
/// glibc keeps what is freed for whoever asks next, and gives back by itself no more than what lies at the end of an
/// arena. After a flood that is most of what the process holds. Where it has had next to nothing to do for a while, the
/// pages in between are given back too, which takes some milliseconds. Other allocators do so by themselves, or have no
/// such call.
struct MemoryService: Service {
    func run() async throws {
        guard let trim = Self.trim else { return try await gracefulShutdown() }
        var trimming = MemoryTrimming()
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(MemoryTrimming.interval)) }
            if trimming.isDue(after: Self.busySeconds) { _ = trim(0) }
        }
    }

    /// Of a processor, that the process has used since its start.
    private static var busySeconds: Double {
        // POSIX: in millionths of a second.
        Double(clock()) / 1_000_000
    }

    /// `malloc_trim(3)`, where the allocator that the process runs with has it.
    private static var trim: (@convention(c) (Int) -> CInt)? {
        dlsym(nil, "malloc_trim").map { unsafeBitCast($0, to: (@convention(c) (Int) -> CInt).self) }
    }
}
