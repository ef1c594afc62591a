// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Stands before the server in each connection, and answers for it where a request would have one more password hashed
/// than may be: before its body is decoded, before anything is looked up, and at a small part of what either costs.
///
/// A place is for a request that is to be answered now: one that has come whole, and before which nothing waits for an
/// answer. Otherwise whoever sends the beginnings of requests, or many at once behind one, would keep everybody's for
/// as long as they like. What comes before its turn is held back, and nothing more is read then.
///
/// What belongs to one request stays together. Of a refused one the parts are passed over, and an answer waits for
/// those to requests before it. A client that sends on before it has its refusal has that as its last answer: what
/// follows is not read.
final class HashingGate: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The longest body that is held back. No request that says little is as long.
    private static let mostHeld = 16 << 10
    /// How much of a refused request is passed over for the sake of its connection.
    private static let mostPassedOver = 64 << 10

    /// A request that has not come whole.
    private struct Held {
        var request: HTTPRequest
        var route: HashingRoute
        var body = ByteBuffer()

        /// - Returns: how much there is of it now.
        mutating func add(_ part: ByteBuffer) -> Int {
            if body.readableBytes == 0 { body = part } else { body.writeImmutableBuffer(part) }
            return body.readableBytes
        }
    }

    private let refusals: EarlyRefusals
    private let places: HeldPlaces
    private var held: Held?
    /// Whether the rest of a request comes that was too long to be held back, and has no place.
    private var isLong = false
    /// Of each request that the server has not answered yet, whether it holds a place.
    private var underWay: [Bool] = []
    /// What has come before its turn, and how it ended.
    private var waiting = WaitingParts()
    private var fault: (any Error)?
    private var hasClientLeft = false
    private var isReadOwed = false
    /// What is still to be said.
    private var owed: EarlyRefusals.Answer?
    private var lateness: Scheduled<Void>?
    /// Octets that were passed over of a refused request whose end has not come.
    private var passedOver: Int?
    /// Nothing is read any more.
    private var isOver = false
    private var peer: ClientAddress?

    init(_ refusals: EarlyRefusals, _ places: HeldPlaces) {
        self.refusals = refusals
        self.places = places
    }

    // MARK: What comes

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if waiting.isEmpty, isReady(for: part, context) { take(part, context) } else { waiting.append(part) }
    }

    func read(context: ChannelHandlerContext) {
        isReadOwed = true
        readOn(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        context.fireChannelWritabilityChanged()
        advance(context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .inputClosed? = event as? ChannelEvent else { return context.fireUserInboundEventTriggered(event) }
        hasClientLeft = true
        advance(context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Of the connection itself, of which nothing more can be said.
        if error is IOError || error is ChannelError { return context.fireErrorCaught(error) }
        guard fault == nil else { return }
        fault = error
        advance(context)
    }

    /// One that may hash waits until all before it is answered, and the answers are taken: nobody has several places.
    private func isReady(for part: HTTPRequestPart, _ context: ChannelHandlerContext) -> Bool {
        guard case .head(let request) = part, owed == nil, !isOver, !underWay.isEmpty || !context.channel.isWritable
        else { return true }
        return refusals.routes.route(of: request).map { $0.hashes(request) == false } ?? true
    }

    /// Goes on to what has waited for its turn, and then to what came after it.
    private func advance(_ context: ChannelHandlerContext) {
        var hasTaken = false
        while let part = waiting.next, isReady(for: part, context) {
            _ = waiting.removeFirst()
            take(part, context)
            hasTaken = true
        }
        if hasTaken { context.fireChannelReadComplete() }
        guard waiting.isEmpty, owed == nil else { return }
        if let fault {
            self.fault = nil
            context.fireErrorCaught(fault)
        }
        if hasClientLeft {
            hasClientLeft = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        readOn(context)
    }

    /// Of a refused request all is read, and what follows once the client has its answer.
    private func readOn(_ context: ChannelHandlerContext) {
        guard isReadOwed, waiting.isEmpty, owed == nil || passedOver != nil else { return }
        isReadOwed = false
        context.read()
    }

    private func take(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        if passedOver != nil { return passOver(part, context) }
        if isOver { return }
        switch part {
        case .head(let request): begin(request, context)
        case .body(let buffer): more(buffer, context)
        case .end: end(part, context)
        }
    }

    private func begin(_ request: HTTPRequest, _ context: ChannelHandlerContext) {
        guard owed == nil else {
            owed?.closes = true
            isOver = true
            return
        }
        let route = refusals.routes.route(of: request)
        // Asked once: to answer, the query is read.
        let hashes = route.map { $0.hashes(request) } ?? false
        guard let route, hashes != false else {
            underWay.append(false)
            return context.fireChannelRead(wrapInboundOut(.head(request)))
        }
        let held = Held(request: request, route: route)
        if hashes == true, refusals.places.free == 0 {
            passedOver = 0
            return refuse(held, context)
        }
        self.held = held
        // Whether it may go on depends on its body, so that is asked for here.
        if request.asksBeforeItsBody { context.writeAndFlush(wrapOutboundOut(.head(.continue)), promise: nil) }
    }

    private func more(_ buffer: ByteBuffer, _ context: ChannelHandlerContext) {
        // Added to where it is kept: a body may come in parts of an octet, and a copy with each would cost the square
        // of them.
        guard let size = held?.add(buffer) else { return context.fireChannelRead(wrapInboundOut(.body(buffer))) }
        guard size > Self.mostHeld, let held else { return }
        self.held = nil
        if refusals.places.free == 0 {
            passedOver = size
            refuse(held, context)
        } else {
            isLong = true
            pass(held, holding: false, context)
        }
    }

    private func end(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        if isLong {
            isLong = false
            // Without a place the hash itself is refused, which costs more and is as right. Whatever is under way is
            // this one.
            if let last = underWay.indices.last { underWay[last] = places.take() }
        } else if let held {
            self.held = nil
            let hashes = held.route.hashes(held.request, body: Array(held.body.readableBytesView))
            guard !hashes || places.take() else { return refuse(held, context) }
            pass(held, holding: hashes, context)
        }
        context.fireChannelRead(wrapInboundOut(part))
    }

    private func pass(_ held: Held, holding: Bool, _ context: ChannelHandlerContext) {
        var request = held.request
        // It was asked for its body.
        request.headerFields[.expect] = nil
        underWay.append(holding)
        context.fireChannelRead(wrapInboundOut(.head(request)))
        if held.body.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(.body(held.body))) }
    }

    // MARK: What is refused

    private func refuse(_ held: Held, _ context: ChannelHandlerContext) {
        let peer = peer ?? context.channel.remoteAddress.flatMap { ClientAddress($0) } ?? .unknown
        self.peer = peer
        var answer = refusals.answer(to: held.request, by: held.route, peer: peer)
        // Who was asked for the body sends it.
        if passedOver == nil { answer.isAwaited = false }
        owed = answer
        if let delay = answer.delay {
            let time = TimeAmount.microseconds(delay.microseconds)
            lateness = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
                lateness = nil
                settle(context)
            }
        } else {
            settle(context)
        }
    }

    private func passOver(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head: break
        case .body(let buffer):
            let size = (passedOver ?? 0) + buffer.readableBytes
            passedOver = size
            if size > Self.mostPassedOver { context.close(promise: nil) }
        case .end:
            passedOver = nil
            if isOver { context.close(promise: nil) }
        }
    }

    /// Says what is owed, once everything before it was said.
    private func settle(_ context: ChannelHandlerContext) {
        guard var answer = owed, underWay.isEmpty, lateness == nil, context.channel.isActive else { return }
        owed = nil
        if answer.closes {
            answer.head.headerFields[.connection] = "close"
            isOver = true
        }
        context.write(wrapOutboundOut(.head(answer.head)), promise: nil)
        context.write(wrapOutboundOut(.body(answer.body)), promise: nil)
        // What of the request is still to come is read first: closed before it, the connection is reset, and the answer
        // may be lost with it. A body that is waited for may never come.
        guard answer.closes, passedOver == nil || answer.isAwaited else {
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            if !answer.closes { advance(context) }
            return
        }
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }

    // MARK: What is answered

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data), !underWay.isEmpty else {
            return context.write(data, promise: promise)
        }
        context.write(data, promise: promise)
        if underWay.removeFirst() { places.giveBack() }
        settle(context)
        advance(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stop()
    }

    private func stop() {
        lateness?.cancel()
        lateness = nil
        owed = nil
        waiting = WaitingParts()
        isOver = true
    }
}
