// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// Responses of this dialect: AWS JSON 1.1.
enum Answer {
    private static let contentType = "application/x-amz-json-1.1"

    static func object(_ object: JSONObject, requestID: String) -> Response {
        json(object, status: .ok, requestID: requestID)
    }

    /// Some clients read the exception from the header and some from the body, so it is in both.
    ///
    /// - Parameter request: in whose language people are told of it.
    static func error(_ error: WireError, to request: Request, requestID: String) -> Response {
        var refusal = refusal(error, to: request.headers)
        refusal.headers[.amazonRequestID] = requestID
        return refusal.response
    }

    /// The same without what is one request's.
    static func refusal(_ error: WireError, to headers: HTTPFields) -> Refusal {
        let told = error.localized(in: MessageLanguage(acceptLanguage: headers[.acceptLanguage]))
        let body: JSONObject = [
            "__type": .string(error.exception), "message": .string(error.message),
            "messageKey": .string(told.key.rawValue), "localizedMessage": .string(told.text),
        ]
        var refusal = Refusal(
            error.isServerFault ? .internalServerError : .badRequest, fields, JSONValue.object(body).serialized())
        refusal.headers[.amazonErrorType] = error.exception + ":"
        refusal.headers[.amazonErrorMessage] = headerText(error.message)
        return refusal
    }

    private static let fields: HTTPFields = [.contentType: contentType, .cacheControl: "no-store"]

    private static func json(
        _ object: JSONObject, status: HTTPResponse.Status, requestID: String
    ) -> Response {
        var headers = fields
        headers[.amazonRequestID] = requestID
        return Response(
            status: status, headers: headers,
            body: .init(byteBuffer: ByteBuffer(bytes: JSONValue.object(object).serialized())))
    }

    /// A message may repeat what the client sent; a header holds printable ASCII only (RFC 9110, section 5.5).
    private static func headerText(_ message: String) -> String {
        String(decoding: message.utf8.prefix(512).map { (0x20...0x7E).contains($0) ? $0 : 0x3F }, as: UTF8.self)
    }
}
