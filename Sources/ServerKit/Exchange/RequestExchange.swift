// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTPTypes

/// Hands the requests of a connection to the server, one after the other, and sends what it answers.
///
/// A request has a task of its own, which ends with the answer: a connection that rests has neither a task nor a
/// stream. What has come whole with its header goes to the server as it is; other bodies are read as fast as the server
/// takes them (``ArrivingBody``). What is sent before the answer waits, and nothing more is read then.
final class RequestExchange: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = HTTPResponsePart

    /// Answers a request. It fails for a body that can't be read, and for nothing else.
    typealias Answering = @Sendable (Request, any Channel) async throws -> Response

    private enum Stage {
        case resting
        /// Whose header has come, and perhaps all of it.
        case arriving(HTTPRequest)
        /// What of the body is still to come; `nil` where all of it has.
        case answering(ArrivingBody.Source?)
        /// It was answered before its body was whole.
        case passingOver
        /// Nothing is answered any more.
        case over
    }

    private let answering: Answering
    private let ended: EventLoopPromise<Void>
    private var context: ChannelHandlerContext?
    private var stage = Stage.resting
    /// Of the request that arrives.
    private var content = ByteBuffer()
    /// Sent before it was their turn.
    private var waiting = WaitingParts()
    /// The one under way, or the last one.
    private var number = 0
    private var task: Task<Void, Never>?
    /// Nothing is answered beyond this one (``ConnectionField``).
    private var isLast = false
    private var hasClientLeft = false
    /// Why nothing further can be read.
    private var fault: (any Error)?
    private var isFaultTold = false
    private var isBodyFull = false
    private var isReadOwed = false
    /// When the last answer has gone.
    private var gone: EventLoopFuture<Void>?

    /// - Parameter ended: once the connection is closed and nothing is done for it.
    init(_ answering: @escaping Answering, ended: EventLoopPromise<Void>) {
        self.answering = answering
        self.ended = ended
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context _: ChannelHandlerContext) {
        context = nil
        if case .answering(let body?) = stage { body.finish(throwing: ChannelError.inputClosed) }
        stage = .over
        waiting = WaitingParts()
        if task == nil { ended.succeed() }
    }

    /// Ends what is under way, and the connection after it.
    func cancel() {
        task?.cancel()
        context?.close(mode: .input, promise: nil)
    }

    // MARK: What comes

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        // The rest of what can't be read.
        if fault != nil { return }
        if waiting.isEmpty, isReady(context) { take(part, context) } else { waiting.append(part) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        beginUnfinished(context)
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        isReadOwed = true
        readOn(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        advance(context)
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent {
            hasClientLeft = true
            advance(context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Of the connection itself, of which nothing more can be said.
        if error is IOError || error is ChannelError { return context.close(promise: nil) }
        guard fault == nil else { return }
        fault = error
        advance(context)
    }

    /// Whether the next part is of the request whose turn it is. A client that takes no answers gets no further ones.
    private func isReady(_ context: ChannelHandlerContext) -> Bool {
        switch stage {
        case .answering(nil): false
        case .resting: context.channel.isWritable
        case .arriving, .answering, .passingOver, .over: true
        }
    }

    private func take(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        switch (stage, part) {
        case (.resting, .head(let request)): stage = .arriving(request)
        case (.arriving, .body(var buffer)):
            if content.readableBytes == 0 { content = buffer } else { content.writeBuffer(&buffer) }
        case (.arriving(let request), .end):
            stage = .answering(nil)
            begin(request, RequestBody(buffer: takeContent()), context)
        case (.answering(let body?), .body(let buffer)): isBodyFull = body.yield(buffer) || isBodyFull
        case (.answering(let body?), .end):
            body.finish()
            stage = .answering(nil)
            isBodyFull = false
        case (.passingOver, .body): break
        case (.passingOver, .end): stage = .resting
        case (.over, _): break
        // Out of order, as no decoder gives them.
        case (.resting, _), (.arriving, .head), (.answering, _), (.passingOver, .head): context.close(promise: nil)
        }
    }

    private func takeContent() -> ByteBuffer {
        defer { content = ByteBuffer() }
        return content
    }

    /// Whatever has come of the request is all there is to read for now.
    private func beginUnfinished(_ context: ChannelHandlerContext) {
        guard case .arriving(let request) = stage, waiting.isEmpty else { return }
        if request.asksBeforeItsBody { context.writeAndFlush(wrapOutboundOut(.head(.continue)), promise: nil) }
        let eventLoop = context.eventLoop
        let own = NIOLoopBound(self, eventLoop: eventLoop)
        let (body, source) = ArrivingBody.make { [number = number + 1] in
            eventLoop.execute { own.value.moreBody(number) }
        }
        if content.readableBytes > 0 { isBodyFull = source.yield(takeContent()) }
        stage = .answering(source)
        begin(request, RequestBody(asyncSequence: body), context)
        endBody()
    }

    /// Tells who reads a body that no more of it comes.
    private func endBody() {
        guard case .answering(let body?) = stage, waiting.isEmpty, fault != nil || hasClientLeft else { return }
        body.finish(throwing: fault)
        isFaultTold = fault != nil
        stage = .answering(nil)
        isBodyFull = false
    }

    private func moreBody(_ number: Int) {
        guard number == self.number, let context else { return }
        isBodyFull = false
        readOn(context)
    }

    /// Reads what is to be read. Behind the last request that is nothing, and the decoder would keep all of it: that
    /// the client ends its side is seen without.
    private func readOn(_ context: ChannelHandlerContext) {
        guard isReadOwed, !isBodyFull, waiting.isEmpty else { return }
        switch stage {
        case .over: return
        case .answering(nil) where isLast: return
        case .resting, .arriving, .answering, .passingOver: break
        }
        isReadOwed = false
        context.read()
    }

    // MARK: What is answered

    private func begin(_ request: HTTPRequest, _ body: RequestBody, _ context: ChannelHandlerContext) {
        number += 1
        isLast = request.isLast
        let (answering, channel, number) = (answering, context.channel, number)
        let own = NIOLoopBound(self, eventLoop: context.eventLoop)
        task = Task {
            let response: Response
            do {
                response = try await answering(Request(head: request, body: body), channel)
            } catch {
                return own.eventLoop.execute { own.value.refuse(number) }
            }
            do {
                try await response.body.write(AnswerWriter(response, number, own))
                // Of known length it has an end.
                if response.body.contentLength == nil { own.eventLoop.execute { own.value.abandon(number) } }
            } catch {
                own.eventLoop.execute { own.value.abandon(number) }
            }
        }
    }

    /// A part of an answer, with what comes before it.
    ///
    /// - Returns: when more may follow.
    func send(_ head: HTTPResponse?, _ pieces: [ByteBuffer], _ number: Int) -> EventLoopFuture<Void> {
        let promise = ended.futureResult.eventLoop.makePromise(of: Void.self)
        guard let context = answeringContext(number) else {
            promise.fail(ChannelError.ioOnClosedChannel)
            return promise.futureResult
        }
        if let head { write(head, context) }
        for piece in pieces.dropLast() { context.write(wrapOutboundOut(.body(piece)), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.body(pieces.last ?? ByteBuffer())), promise: promise)
        return context.channel.isWritable ? context.eventLoop.makeSucceededVoidFuture() : promise.futureResult
    }

    /// The end of an answer, with what comes before it.
    func finish(_ head: HTTPResponse?, _ content: ByteBuffer?, _ trailers: HTTPFields?, _ number: Int) {
        guard let context = answeringContext(number) else { return settle(number) }
        if let head { write(head, context) }
        if let content, content.readableBytes > 0 { context.write(wrapOutboundOut(.body(content)), promise: nil) }
        let promise = context.eventLoop.makePromise(of: Void.self)
        gone = promise.futureResult
        // Before it is written: with room for more the next request may begin.
        let isLast = isLast
        var next = Stage.resting
        if case .answering(let rest?) = stage {
            rest.finish(throwing: nil)
            isBodyFull = false
            next = .passingOver
        }
        stage = isLast ? .over : next
        settle(number)
        context.writeAndFlush(wrapOutboundOut(.end(trailers)), promise: promise)
        guard self.context != nil else { return }
        if isLast { end(context) } else { advance(context) }
    }

    private func write(_ head: HTTPResponse, _ context: ChannelHandlerContext) {
        var head = head
        // RFC 9112, section 9.6.
        if isLast { head.headerFields[.connection] = "close" }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
    }

    /// A request that can't be read.
    private func refuse(_ number: Int) {
        isLast = true
        finish(
            HTTPResponse(status: .badRequest, headerFields: [.contentLength: "0"]), nil, nil, number)
    }

    /// An answer that can't be sent as it was begun.
    private func abandon(_ number: Int) {
        guard let context = answeringContext(number) else { return settle(number) }
        stage = .over
        settle(number)
        context.close(promise: nil)
    }

    private func answeringContext(_ number: Int) -> ChannelHandlerContext? {
        guard number == self.number, case .answering = stage else { return nil }
        return context
    }

    private func settle(_ number: Int) {
        guard number == self.number, task != nil else { return }
        task = nil
        if context == nil { ended.succeed() }
    }

    /// Goes on to what is next, where nothing is under way.
    private func advance(_ context: ChannelHandlerContext) {
        while !waiting.isEmpty, isReady(context), let part = waiting.removeFirst() { take(part, context) }
        if waiting.isEmpty {
            beginUnfinished(context)
            endBody()
            endIfDone(context)
        }
        readOn(context)
    }

    private func endIfDone(_ context: ChannelHandlerContext) {
        switch stage {
        case .resting:
            if fault != nil, !isFaultTold {
                // With no number of its own, since it is no request.
                stage = .answering(nil)
                refuse(number)
            } else if fault != nil || hasClientLeft {
                end(context)
            }
        case .passingOver: if fault != nil || hasClientLeft { end(context) }
        case .arriving, .answering, .over: break
        }
    }

    /// Ends the server's side once the client has all that was said; the other side is the client's to end.
    private func end(_ context: ChannelHandlerContext) {
        stage = .over
        waiting = WaitingParts()
        let channel = context.channel
        (gone ?? context.eventLoop.makeSucceededVoidFuture()).whenComplete { _ in
            channel.close(mode: .output, promise: nil)
        }
    }
}
