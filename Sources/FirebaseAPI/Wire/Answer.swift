// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// Responses of this dialect.
enum Answer {
    static func object(_ object: JSONObject, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: fields, body: .init(byteBuffer: ByteBuffer(bytes: object.serialized())))
    }

    /// 303: the browser must fetch the target with GET and without what it has sent here (RFC 9700, section 2.1).
    static func redirect(to target: String) -> Response {
        var headers = HTTPFields()
        headers[.location] = target
        return Response(status: .seeOther, headers: headers)
    }

    /// - Parameter language: in which people are told of it.
    static func error(_ error: WireError, in language: MessageLanguage) -> Response {
        refusal(error, in: language).response
    }

    static func refusal(_ error: WireError, in language: MessageLanguage) -> Refusal {
        var refusal = Refusal(error.status, fields, JSONValue.object(error.body(in: language)).serialized())
        if let wait = error.retryAfter { refusal.headers.setRetryAfter(wait) }
        return refusal
    }

    private static let fields: HTTPFields = [.contentType: "application/json; charset=UTF-8"]
}
