// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// Responses of this dialect.
enum Answer {
    static func object(_ object: JSONObject, status: HTTPResponse.Status = .ok) -> Response {
        var headers = HTTPFields()
        headers[.contentType] = "application/json; charset=UTF-8"
        return Response(
            status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: object.serialized())))
    }

    /// 303: the browser must fetch the target with GET and without what it has sent here (RFC 9700, section 2.1).
    static func redirect(to target: String) -> Response {
        var headers = HTTPFields()
        headers[.location] = target
        return Response(status: .seeOther, headers: headers)
    }

    /// - Parameter language: in which people are told of it.
    static func error(_ error: WireError, in language: MessageLanguage) -> Response {
        var response = object(error.body(in: language), status: error.status)
        if let wait = error.retryAfter { response.headers.setRetryAfter(wait) }
        return response
    }
}
