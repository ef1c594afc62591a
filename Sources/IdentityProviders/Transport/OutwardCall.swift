// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// One question to a provider.
struct OutwardCall: Sendable {
    enum Method: Sendable, Hashable {
        case get
        case post
        case delete
    }

    var method = Method.get
    var url: String
    /// The media types that an answer may have.
    var accept = "application/json"
    var fields: [(name: String, value: String)] = []
    var body: [UInt8] = []
    /// Whether the answer is one though it is larger than the limit. Its body then ends there, or is missing.
    var isStatusEnough = false

    init(get url: String, bearer token: Secret<String>? = nil) {
        self.url = url
        if let token { fields.append(("Authorization", "Bearer \(token.reveal())")) }
    }

    /// A form (RFC 6749, appendix B).
    init(post form: [(name: String, value: String)], to url: String) {
        method = .post
        self.url = url
        fields = [("Content-Type", "application/x-www-form-urlencoded")]
        body = Array(FormText.write(form).utf8)
    }

    init(_ method: Method, _ object: JSONObject, to url: String) {
        self.method = method
        self.url = url
        fields = [("Content-Type", "application/json")]
        body = object.serialized()
    }

    /// Names the client as RFC 6749, section 2.3.1, says: identifier and secret are encoded as in a form first.
    mutating func authenticate(_ clientID: String, _ secret: Secret<String>) {
        let pair = [clientID, secret.reveal()].map { PercentEncoding.encode($0.utf8, spacesAsPlus: true) }
        fields.append(("Authorization", "Basic " + Base64.encode(Array(pair.joined(separator: ":").utf8))))
    }
}

/// What a provider answered: at most as many bytes as are allowed.
struct OutwardAnswer: Sendable {
    var status: Int
    /// The media type in lower case, without parameters; empty where there is none.
    var type = ""
    var body: [UInt8]
    /// How long the provider says that it may be used; `nil` when it does not say.
    var life: TimeSpan?

    /// The body as a JSON object.
    func object() throws(OutwardFailure) -> JSONObject {
        guard let object = try? JSONObject(parsing: body, limits: Self.limits) else { throw .malformed }
        return object
    }

    /// As ``object()``, where nothing but status 200 carries an answer.
    func granted() throws(OutwardFailure) -> JSONObject {
        guard status == 200 else { throw .status(status) }
        return try object()
    }

    static let limits = JSONLimits(depth: 16, members: 4096, bytes: 256 << 10)
}

/// Sends a question, once.
protocol OutwardCalling: Sendable {
    /// - Parameter provider: whose calls this one is counted among; `nil` where the caller sees to it that there is one
    ///   at a time.
    func send(_ call: OutwardCall, for provider: String?) async throws(OutwardFailure) -> OutwardAnswer
}

/// `application/x-www-form-urlencoded`.
enum FormText {
    static func write(_ members: [(name: String, value: String)]) -> String {
        members.map {
            PercentEncoding.encode($0.name.utf8, spacesAsPlus: true) + "="
                + PercentEncoding.encode($0.value.utf8, spacesAsPlus: true)
        }.joined(separator: "&")
    }

    /// `url` with members added to its query. Spaces are written `%20`, which every reader takes for one.
    static func add(_ members: [(name: String, value: String)], to url: String) -> String {
        let query = members.map {
            PercentEncoding.encode($0.name.utf8) + "=" + PercentEncoding.encode($0.value.utf8)
        }.joined(separator: "&")
        guard !query.isEmpty else { return url }
        guard let mark = url.firstIndex(of: "?") else { return "\(url)?\(query)" }
        let isOpen = url.index(after: mark) == url.endIndex || url.hasSuffix("&")
        return url + (isOpen ? "" : "&") + query
    }
}
