// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// A dialect with the simplest words: its name and the error's code.
struct PlainRenderer: ErrorRenderer {
    let dialect: String

    func response(for error: AuthError, to request: Request, context: LatchkeyRequestContext) -> Response {
        let status: HTTPResponse.Status =
            switch error.code {
            case .notFound: .notFound
            case .methodNotAllowed: .methodNotAllowed
            case .requestTooLarge: .contentTooLarge
            case .rateLimited: .tooManyRequests
            case .unavailable: .serviceUnavailable
            case .internalFailure: .internalServerError
            default: .badRequest
            }
        var headers = HTTPFields()
        headers[.contentType] = "application/json"
        if let wait = error.retryAfter { headers[.retryAfter] = String((wait.microseconds + 999_999) / 1_000_000) }
        let body: JSONObject = ["dialect": .string(dialect), "code": .string(error.code.rawValue)]
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: body.serialized())))
    }
}
