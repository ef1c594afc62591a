// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The body of a request that is not whole when the server begins with it: its parts, as they come, and no more of them
/// than are taken.
enum ArrivingBody {
    typealias Parts = NIOThrowingAsyncSequenceProducer<
        ByteBuffer, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, Delegate
    >

    struct Delegate: NIOAsyncSequenceProducerDelegate {
        let more: @Sendable () -> Void

        func produceMore() { more() }
        // Nobody reads it: what comes is passed over.
        func didTerminate() { more() }
    }

    struct Source {
        let source: Parts.Source

        /// - Returns: whether no more of it is to be read for now.
        func yield(_ buffer: ByteBuffer) -> Bool { source.yield(buffer) == .stopProducing }

        func finish() { source.finish() }

        /// - Parameter error: `nil` for a body whose end is passed over.
        func finish(throwing error: (any Error)?) {
            if let error { source.finish(error) } else { source.finish() }
        }
    }

    /// - Parameter more: called on any thread when more of the body may be read.
    static func make(_ more: @escaping @Sendable () -> Void) -> (parts: Parts, source: Source) {
        let made = Parts.makeSequence(
            backPressureStrategy: .init(lowWatermark: 2, highWatermark: 10), finishOnDeinit: true,
            delegate: Delegate(more: more))
        return (made.sequence, Source(source: made.source))
    }
}
