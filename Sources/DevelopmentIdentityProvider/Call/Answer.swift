// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// What programs are answered.
enum Answer {
    static func json(
        _ value: JSONValue, status: HTTPResponse.Status = .ok, challenge: String? = nil
    ) -> Response {
        var fields: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
        fields[.wwwAuthenticate] = challenge
        return Response(status: status, headers: fields, body: .init(byteBuffer: ByteBuffer(bytes: value.serialized())))
    }

    /// As a form, unless the request asks for JSON: GitHub's token endpoint.
    static func form(_ object: JSONObject, unlessJSONIn headers: HTTPFields) -> Response {
        guard headers[.accept].map({ !$0.contains("json") }) ?? true else { return json(.object(object)) }
        let pairs = object.members.map { member in
            "\(member.name)=\(PercentEncoding.encode((member.value.stringValue ?? "").utf8, spacesAsPlus: true))"
        }
        return Response(
            status: .ok, headers: [.contentType: "application/x-www-form-urlencoded", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(string: pairs.joined(separator: "&"))))
    }

    /// `/userinfo` and its like without a token that is good (RFC 6750, section 3.1).
    static func invalidToken(_ description: String) -> OAuthError {
        OAuthError(
            .unauthorized, "invalid_token", description,
            challenge: #"Bearer error="invalid_token", error_description="\#(description)""#)
    }
}
