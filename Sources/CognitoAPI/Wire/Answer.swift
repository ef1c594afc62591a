// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird

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
        let told = error.localized(in: MessageLanguage(acceptLanguage: request.headers[.acceptLanguage]))
        let body: JSONObject = [
            "__type": .string(error.exception), "message": .string(error.message),
            "messageKey": .string(told.key.rawValue), "localizedMessage": .string(told.text),
        ]
        var response = json(
            body, status: error.isServerFault ? .internalServerError : .badRequest, requestID: requestID)
        response.headers[.amazonErrorType] = error.exception + ":"
        response.headers[.amazonErrorMessage] = headerText(error.message)
        return response
    }

    private static func json(
        _ object: JSONObject, status: HTTPResponse.Status, requestID: String
    ) -> Response {
        var headers = HTTPFields()
        headers[.contentType] = contentType
        headers[.amazonRequestID] = requestID
        headers[.cacheControl] = "no-store"
        return Response(
            status: status, headers: headers,
            body: .init(byteBuffer: ByteBuffer(bytes: JSONValue.object(object).serialized())))
    }

    /// A message may repeat what the client sent; a header holds printable ASCII only (RFC 9110, section 5.5).
    private static func headerText(_ message: String) -> String {
        String(decoding: message.utf8.prefix(512).map { (0x20...0x7E).contains($0) ? $0 : 0x3F }, as: UTF8.self)
    }
}
