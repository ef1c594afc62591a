// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// A connection whose requests name one host (``HostField``), and whose client takes its answers (``AnswerDeadline``).
struct HostCheckedChannel: ServerChildChannel {
    private let http: HTTP1Channel
    private let answer: TimeAmount

    /// - Parameter answer: how long an answer waits of which nothing is taken.
    init(_ http: HTTP1Channel, answer: TimeAmount) {
        self.http = http
        self.answer = answer
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        http.setup(channel: channel, logger: logger).flatMapThrowing { value in
            // Before the first field of that name leaves the others for the request's authority.
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(HostField(), position: .after(decoder))
            try pipeline.addHandler(AnswerDeadline(answer), position: .first)
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await http.handle(value: value, logger: logger)
    }
}
