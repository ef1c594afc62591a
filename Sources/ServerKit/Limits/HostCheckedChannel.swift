// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// A connection whose requests name one host (``HostField``), those of which hash a password only where there is a place
/// (``HashingGate``), and whose client takes its answers (``AnswerDeadline``).
struct HostCheckedChannel: ServerChildChannel {
    struct Value: ServerChildChannelValue {
        let http: HTTP1Channel.Value
        let places: HeldPlaces?

        var channel: any Channel { http.channel }
    }

    private let http: HTTP1Channel
    private let answer: TimeAmount
    private let refusals: EarlyRefusals?

    /// - Parameter answer: how long an answer waits of which nothing is taken.
    init(_ http: HTTP1Channel, answer: TimeAmount, _ refusals: EarlyRefusals?) {
        self.http = http
        self.answer = answer
        self.refusals = refusals
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        http.setup(channel: channel, logger: logger).flatMapThrowing { value in
            // Before the first field of that name leaves the others for the request's authority.
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(HostField(), position: .after(decoder))
            try pipeline.addHandler(AnswerDeadline(answer), position: .first)
            guard let refusals else { return Value(http: value, places: nil) }
            let places = HeldPlaces(refusals.places)
            // Behind what counts requests and answers: a refused one is one too.
            let state = try pipeline.handler(type: HTTPConnectionStateHandler.self)
            try pipeline.addHandler(HashingGate(refusals, places), position: .after(state))
            return Value(http: value, places: places)
        }
    }

    func handle(value: Value, logger: Logger) async {
        await ConnectionPace.$current.withValue(ConnectionPace()) {
            await http.handle(value: value.http, logger: logger)
        }
        value.places?.end()
    }
}
