// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// An HTTP/1.1 connection: what stands between its socket and the server, within ``ServerLimits``.
struct RequestChannel: ServerChildChannel {
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let exchange: NIOLoopBound<RequestExchange>
        /// When the connection is closed and nothing is done for it any more.
        let ended: EventLoopFuture<Void>
        let places: HeldPlaces?
    }

    /// A connection keeps the buffers that it was read by, four at most, at the size to which they have grown.
    private static let mostRead = 8 << 10

    let limits: ServerLimits
    let clients: ClientConnections
    let refusals: EarlyRefusals?
    let answering: RequestExchange.Answering

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let places = refusals.map { HeldPlaces($0.places) }
            let ended = channel.eventLoop.makePromise(of: Void.self)
            let exchange = RequestExchange(answering, ended: ended)
            do {
                try channel.syncOptions?.setOption(
                    .recvAllocator,
                    value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2048, maximum: Self.mostRead))
                try add(exchange, places, to: channel.pipeline.syncOperations, logger)
            } catch {
                ended.fail(error)
                throw error
            }
            return Value(
                channel: channel, exchange: NIOLoopBound(exchange, eventLoop: channel.eventLoop),
                ended: ended.futureResult,
                places: places)
        }
    }

    private func add(
        _ exchange: RequestExchange, _ places: HeldPlaces?, to pipeline: ChannelPipeline.SynchronousOperations,
        _ logger: Logger
    ) throws {
        var decoder = NIOHTTPDecoderLimitConfiguration()
        decoder.maxHeaderFieldSize = limits.headerFieldBytes
        decoder.maxHeaderListSize = limits.headerBytes
        decoder.maxHeaderFieldCount = limits.headerFields
        // Beside the socket, where what is written and what is gone are counted in the same bytes.
        try pipeline.addHandler(AnswerDeadline(.seconds(limits.answerSeconds)))
        // Requests wait for their turn in `RequestExchange`, which answers those that can't be read; the fields of
        // answers are valid by their type.
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
            withEncoderConfiguration: .init(), withDecoderLimitConfiguration: decoder)
        // Before anybody compares a field with anything.
        try pipeline.addHandler(HeadText())
        // Before the first field of that name leaves the others for the request's authority.
        try pipeline.addHandler(HostField())
        try pipeline.addHandler(ConnectionField())
        try pipeline.addHandler(RequestCodec())
        try pipeline.addHandler(ClientConnection(clients))
        try pipeline.addHandler(
            RequestDeadline(header: .seconds(limits.headerSeconds), body: .seconds(limits.bodySeconds)))
        try pipeline.addHandler(ClientPresence())
        try pipeline.addHandler(
            HTTPConnectionStateHandler(idleTimeout: .seconds(limits.idleSeconds), logger: logger))
        // Behind what counts requests and answers: a refused one is one too.
        if let refusals, let places { try pipeline.addHandler(HashingGate(refusals, places)) }
        try pipeline.addHandler(exchange)
    }

    func handle(value: Value, logger _: Logger) async {
        await withTaskCancellationHandler {
            try? await value.ended.get()
        } onCancel: {
            value.channel.eventLoop.execute { value.exchange.value.cancel() }
        }
        value.places?.end()
    }
}
