// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// Answers of the hosted UI's endpoints to programs.
enum HostedAnswer {
    private static let contentType = "application/json;charset=UTF-8"

    static func object(_ object: JSONObject, status: HTTPResponse.Status = .ok) -> Response {
        var headers = HTTPFields()
        headers[.contentType] = contentType
        headers[.cacheControl] = "no-store"
        return Response(
            status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: object.serialized())))
    }

    /// One SDK reads `error_message` where the standard has `error_description`.
    static func error(_ error: OAuthError, in language: MessageLanguage) -> Response {
        var body: JSONObject = [
            "error": .string(error.code), "error_description": .string(error.description),
            "error_message": .string(error.description),
        ]
        error.tell(in: language, &body)
        var response = object(body, status: error.status)
        response.headers[.wwwAuthenticate] = error.challenge
        if let wait = error.retryAfter ?? (error.status == .serviceUnavailable ? .seconds(5) : nil) {
            response.headers.setRetryAfter(wait)
        }
        return response
    }

    /// 302, as the service sends a browser on: what came was no form.
    static func redirect(to target: String) -> Response {
        Response(status: .found, headers: [.location: target, .cacheControl: "no-store"])
    }

    /// The query of a URL of ours or of the client's.
    static func query(_ parameters: [(name: String, value: String)]) -> String {
        parameters.map { PercentEncoding.encode($0.name.utf8) + "=" + PercentEncoding.encode($0.value.utf8) }
            .joined(separator: "&")
    }
}

extension OAuthError {
    static func request(_ description: String) -> Self { Self(.badRequest, "invalid_request", description) }
    static func scope(_ description: String) -> Self { Self(.badRequest, "invalid_scope", description) }
    static func client(_ description: String) -> Self { Self(.badRequest, "unauthorized_client", description) }

    /// The service's name for a place that the client did not register.
    static func mismatch(_ name: String) -> Self {
        Self(.badRequest, "redirect_mismatch", "\(name) is missing, or not one of the app client's")
    }
}
