// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import NIOCore

/// Sends an answer piece by piece, and one that is a single piece at once with its header and its end.
struct AnswerWriter: ResponseBodyWriter {
    private let exchange: NIOLoopBound<RequestExchange>
    private let number: Int
    private let length: Int?
    /// Not sent yet.
    private var head: HTTPResponse?
    private var whole: ByteBuffer?

    /// - Parameter number: of the request.
    init(_ response: Response, _ number: Int, _ exchange: NIOLoopBound<RequestExchange>) {
        self.exchange = exchange
        self.number = number
        length = response.body.contentLength
        head = response.head
    }

    /// Returns when the client has taken so much that more may follow.
    ///
    /// - Throws: where the connection is closed.
    mutating func write(_ buffer: ByteBuffer) async throws {
        if head != nil, whole == nil, buffer.readableBytes == length {
            whole = buffer
            return
        }
        let (head, pieces) = (head, [whole, buffer].compactMap(\.self))
        self.head = nil
        whole = nil
        try await exchange.eventLoop.flatSubmit { [exchange, number] in
            exchange.value.send(head, pieces, number)
        }.get()
    }

    consuming func finish(_ trailers: HTTPFields?) async throws {
        exchange.eventLoop.execute { [exchange, number, head, whole] in
            exchange.value.finish(head, whole, trailers, number)
        }
    }
}
