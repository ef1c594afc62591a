// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// One message as a gateway takes it: a `POST`. What is secret in it is in its fields and body, never in the path.
struct GatewayCall: Sendable {
    /// Behind the gateway's base URL; begins with a slash or is empty.
    var path: String
    var fields: [(name: String, value: String)]
    var body: [UInt8]

    init(path: String, form: [(name: String, value: String)]) {
        self.path = path
        fields = [("Content-Type", "application/x-www-form-urlencoded")]
        let text = form.map {
            PercentEncoding.encode($0.name.utf8, spacesAsPlus: true) + "="
                + PercentEncoding.encode($0.value.utf8, spacesAsPlus: true)
        }.joined(separator: "&")
        body = Array(text.utf8)
    }

    init(path: String, object: JSONObject) {
        self.path = path
        fields = [("Content-Type", "application/json")]
        body = object.serialized()
    }

    /// Basic authentication (RFC 7617).
    mutating func authenticate(_ name: String, _ secret: Secret<String>) {
        fields.append(("Authorization", "Basic " + Base64.encode(Array("\(name):\(secret.reveal())".utf8))))
    }
}

/// What a gateway answered: its status, and at most as many bytes as are allowed.
struct GatewayAnswer: Sendable {
    var status: Int
    var body: [UInt8]
    /// How long it wants to be left alone (`Retry-After` in seconds; RFC 9110, section 10.2.3).
    var wait: TimeSpan?

    /// The body where it is a JSON object.
    var object: JSONObject? { try? JSONObject(parsing: body, limits: Self.limits) }

    private static let limits = JSONLimits(depth: 16, members: 1024, bytes: GatewayClient.largestAnswer)
}
