// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird

/// Responses of the provider to programs.
enum Answer {
    /// JSON that nobody may keep (RFC 6749, section 5.1).
    static func object(_ object: JSONObject, status: HTTPResponse.Status = .ok) -> Response {
        json(object.serialized(), status: status)
    }

    /// The same of a text.
    static func json(_ text: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        Response(status: status, headers: notKept, body: .init(byteBuffer: ByteBuffer(bytes: text)))
    }

    private static let notKept: HTTPFields = [
        .contentType: "application/json", .cacheControl: "no-store", .pragma: "no-cache",
    ]

    /// What the provider says of itself, which everybody may keep for ten minutes.
    static func document(_ object: JSONObject) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/json", .cacheControl: "public, max-age=600"],
            body: .init(byteBuffer: ByteBuffer(bytes: object.serialized())))
    }

    /// RFC 7009, section 2.2: whatever came of it, the client has nothing to read.
    static var empty: Response {
        var response = Response(status: .ok)
        response.headers[.cacheControl] = "no-store"
        return response
    }

    /// 303: a browser must fetch the target with GET and without what it has sent here (RFC 9700, section 4.12).
    static func redirect(to target: String) -> Response {
        var response = Response(status: .seeOther)
        response.headers[.location] = target
        response.headers[.cacheControl] = "no-store"
        return response
    }
}

extension HTTPField.Name {
    /// RFC 6749, section 5.1, demands it beside `Cache-Control`.
    static let pragma = HTTPField.Name("Pragma") ?? .trailer
    /// RFC 9449, section 4.1.
    static let dpop = HTTPField.Name("DPoP") ?? .trailer
    /// RFC 9449, section 8.1.
    static let dpopNonce = HTTPField.Name("DPoP-Nonce") ?? .trailer
}
