// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird

/// An error as a dialect says it: what is sent, before anything of one request is added to it.
public struct Refusal: Sendable {
    public var status: HTTPResponse.Status
    public var headers: HTTPFields
    public var body: [UInt8]

    public init(_ status: HTTPResponse.Status, _ headers: HTTPFields, _ body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    public var response: Response {
        Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: body)))
    }
}

/// Says an error in the words of a dialect to whoever is refused before their request is looked at.
public protocol RefusalRenderer: Sendable {
    /// The request's fields that the answer depends on, such as the one for the language. Answers are kept by their
    /// values.
    var fields: [HTTPField.Name] { get }

    /// The answer that the dialect gives to such an error from within, without what is one request's alone.
    func refusal(_ error: AuthError, to headers: HTTPFields) -> Refusal
}
