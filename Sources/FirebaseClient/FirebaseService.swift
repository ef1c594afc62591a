// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// Asks the two services of a project, and reads what they say within bounds.
struct FirebaseService: Sendable {
    private let configuration: FirebaseConfiguration
    private let transport: any HTTPTransport

    static let limits = JSONLimits(depth: 24, members: 2_000, bytes: 1 << 20)

    init(_ configuration: FirebaseConfiguration, transport: any HTTPTransport) {
        self.configuration = configuration
        self.transport = transport
    }

    /// An answer that says yes.
    struct Answer: Sendable {
        var members: JSONObject
        var serverDate: Instant?
    }

    /// - Parameter operation: such as `accounts:signUp`.
    func ask(_ operation: String, _ body: JSONObject, version: String = "v1") async throws(AuthError) -> Answer {
        var body = body
        if let tenant = configuration.tenantID { body["tenantId"] = .string(tenant) }
        return try await send(
            "identitytoolkit.googleapis.com/\(version)/\(operation)", "application/json", body.serialized(),
            refreshing: false)
    }

    func refresh(_ token: Secret<String>) async throws(AuthError) -> Answer {
        let form = FormFields.encode([("grant_type", "refresh_token"), ("refresh_token", token.reveal())])
        return try await send(
            "securetoken.googleapis.com/v1/token", "application/x-www-form-urlencoded", Array(form.utf8),
            refreshing: true)
    }

    private func send(
        _ place: String, _ type: String, _ body: [UInt8], refreshing: Bool
    ) async throws(AuthError) -> Answer {
        let key = PercentEncoding.encode(configuration.apiKey.utf8)
        var request = HTTPRequest("POST", base + place + "?key=" + key, body: body)
        request.headers = [HTTPHeader("Content-Type", type), HTTPHeader("Accept", "application/json")]
        if let bundle = configuration.bundleIdentifier {
            request.headers.append(HTTPHeader("X-Ios-Bundle-Identifier", bundle))
        }
        if let language = configuration.language {
            request.headers.append(HTTPHeader("X-Firebase-Locale", language))
        }
        let response: HTTPResponse
        do { response = try await transport.send(request) } catch { throw AuthError(noWay: error) }
        let members = try? JSONObject(parsing: response.body, limits: Self.limits)
        guard response.status == 200, let members, members["error"] == nil else {
            throw FirebaseErrors.error(in: response, members, refreshing: refreshing)
        }
        return Answer(members: members, serverDate: response.date)
    }

    private var base: String {
        guard let emulator = configuration.emulator else { return "https://" }
        let place = emulator.hasSuffix("/") ? String(emulator.dropLast()) : emulator
        return (place.contains("://") ? place : "http://" + place) + "/"
    }
}
