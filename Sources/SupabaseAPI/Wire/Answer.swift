// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// Responses of this dialect.
enum Answer {
    static func object(_ object: JSONObject, status: HTTPResponse.Status = .ok) -> Response {
        json(.object(object), status: status)
    }

    static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok) -> Response {
        var headers = HTTPFields()
        headers[.contentType] = "application/json"
        return Response(
            status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: value.serialized())))
    }

    static var empty: Response { Response(status: .noContent) }

    /// 302, for what came by GET.
    static func found(at target: String) -> Response {
        var headers = HTTPFields()
        headers[.location] = target
        return Response(status: .found, headers: headers)
    }

    /// 303: the browser must fetch the target with GET and without what it has sent here (RFC 9700, section 2.1).
    static func redirect(to target: String) -> Response {
        var headers = HTTPFields()
        headers[.location] = target
        return Response(status: .seeOther, headers: headers)
    }

    /// - Parameter request: whose form and language it is told in.
    static func error(_ error: WireError, to request: Request, _ context: LatchkeyRequestContext) -> Response {
        refusal(error.with(context), to: request.headers).response
    }

    static func refusal(_ error: WireError, to headers: HTTPFields) -> Refusal {
        let version = APIVersion(header: headers[.apiVersion])
        let language = MessageLanguage(acceptLanguage: headers[.acceptLanguage])
        var refusal = Refusal(
            error.status, [.contentType: "application/json"],
            JSONValue.object(error.body(version: version, in: language)).serialized())
        refusal.headers[.errorCode] = error.code
        if case .of20240101 = version { refusal.headers[.apiVersion] = "2024-01-01" }
        if let wait = error.retryAfter { refusal.headers.setRetryAfter(wait) }
        return refusal
    }
}
