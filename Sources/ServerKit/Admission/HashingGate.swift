// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Stands before the server in each connection, and answers for it where a request would have one more password hashed than
/// may be: before its body is decoded, before anything is looked up, and at a small part of what either costs.
///
/// What belongs to one request stays together. While the body is to decide whether a request hashes, its parts are held back;
/// of a refused one they are passed over; and an answer waits for those to requests before it. A client that sends on
/// before it has its refusal has that as its last answer: what follows is not read.
final class HashingGate: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The longest body that is held back. No request that says little is as long.
    private static let mostHeld = 16 << 10
    /// How much of a refused request is passed over for the sake of its connection.
    private static let mostPassedOver = 64 << 10

    /// A request whose body decides.
    private struct Held {
        var request: HTTPRequest
        var route: HashingRoute
        var body: [ByteBuffer] = []
        var size = 0
    }

    private let refusals: EarlyRefusals
    private let held: HeldPlaces
    private var judged: Held?
    /// Of each request that the server has not answered yet, whether it holds a place.
    private var underWay: [Bool] = []
    /// What is still to be said.
    private var owed: EarlyRefusals.Answer?
    private var lateness: Scheduled<Void>?
    /// Octets that were passed over of a refused request whose end has not come.
    private var passedOver: Int?
    /// Nothing is read any more.
    private var isOver = false
    private var peer: ClientAddress?

    init(_ refusals: EarlyRefusals, _ held: HeldPlaces) {
        self.refusals = refusals
        self.held = held
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if passedOver != nil { return passOver(part, context) }
        if isOver { return }
        switch part {
        case .head(let request): begin(request, context)
        case .body(let buffer): more(buffer, context)
        case .end:
            if var held = judged {
                judged = nil
                let body = held.body.reduce(into: [UInt8]()) { $0 += $1.readableBytesView }
                if held.route.hashes(held.request, body: body) {
                    guard admit(&held, context) else { return }
                } else {
                    pass(&held, holding: false, context)
                }
            }
            context.fireChannelRead(data)
        }
    }

    private func begin(_ request: HTTPRequest, _ context: ChannelHandlerContext) {
        guard owed == nil else {
            owed?.closes = true
            isOver = true
            return
        }
        guard let route = refusals.routes.route(of: request) else {
            return forward(request, holding: false, context)
        }
        var held = Held(request: request, route: route)
        switch route.hashes(request) {
        case true?: if !admit(&held, context) { passedOver = 0 }
        case false?: forward(request, holding: false, context)
        // Nobody sends the body before the server has asked for it.
        case nil where request.headerFields.contains(.expect): if !admit(&held, context) { passedOver = 0 }
        case nil: judged = held
        }
    }

    private func more(_ buffer: ByteBuffer, _ context: ChannelHandlerContext) {
        guard var held = judged else { return context.fireChannelRead(wrapInboundOut(.body(buffer))) }
        held.body.append(buffer)
        held.size += buffer.readableBytes
        guard held.size > Self.mostHeld else {
            judged = held
            return
        }
        judged = nil
        if !admit(&held, context) { passedOver = held.size }
    }

    private func forward(_ request: HTTPRequest, holding: Bool, _ context: ChannelHandlerContext) {
        underWay.append(holding)
        context.fireChannelRead(wrapInboundOut(.head(request)))
    }

    private func pass(_ held: inout Held, holding: Bool, _ context: ChannelHandlerContext) {
        forward(held.request, holding: holding, context)
        for buffer in held.body { context.fireChannelRead(wrapInboundOut(.body(buffer))) }
    }

    /// Lets in what has come of a request, or refuses it.
    private func admit(_ held: inout Held, _ context: ChannelHandlerContext) -> Bool {
        if self.held.take() {
            pass(&held, holding: true, context)
            return true
        }
        let peer = peer ?? context.channel.remoteAddress.flatMap { ClientAddress($0) } ?? .unknown
        self.peer = peer
        let answer = refusals.answer(to: held.request, by: held.route, peer: peer)
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
        return false
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
        // What of the request is still to come is read first: closed before it, the connection is reset, and the answer may
        // be lost with it. A body that is waited for may never come.
        guard answer.closes, passedOver == nil || answer.isAwaited else {
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            return
        }
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data), !underWay.isEmpty else {
            return context.write(data, promise: promise)
        }
        context.write(data, promise: promise)
        if underWay.removeFirst() { held.giveBack() }
        settle(context)
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
        isOver = true
    }
}
