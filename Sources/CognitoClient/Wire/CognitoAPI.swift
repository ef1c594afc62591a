// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// Calls operations of the service's JSON API, without a signature: those that an app may call.
struct CognitoAPI: Sendable {
    enum Service: String, Sendable {
        case userPools = "AWSCognitoIdentityProviderService"
        case identityPools = "AWSCognitoIdentityService"
    }

    let service: Service
    let address: String
    let transport: any HTTPTransport

    /// What an operation gave, and what time the service says it is.
    struct Answer: Sendable {
        var members: JSONObject
        var date: Instant?
    }

    /// - Throws: `AuthError` in the domain's codes; `unavailable` for what the service can't have said.
    func call(
        _ operation: String, _ input: JSONObject, for purpose: CognitoErrors.Purpose
    ) async throws(AuthError) -> Answer {
        let request = HTTPRequest(
            "POST", address,
            headers: [
                HTTPHeader("Content-Type", "application/x-amz-json-1.1"),
                HTTPHeader("X-Amz-Target", "\(service.rawValue).\(operation)"),
                HTTPHeader("Cache-Control", "no-store"),
            ], body: input.serialized())
        let response: HTTPResponse
        do { response = try await transport.send(request) } catch { throw AuthError(noWay: error) }
        let members = try? JSONObject(
            parsing: response.body, limits: JSONLimits(depth: 16, members: 1_000, bytes: 512 << 10))
        if response.status == 200 {
            // Some operations have nothing to say, and some say it with no bytes.
            guard let members = members ?? (response.body.isEmpty ? [:] : nil) else {
                throw AuthError(.unavailable, reason: "\(operation) was answered by somebody else")
            }
            return Answer(members: members, date: response.date)
        }
        guard (400...599).contains(response.status), let error = ServiceError(reading: response, members) else {
            throw AuthError(noAnswer: response)
        }
        let said = CognitoErrors.error(error.type, error.message, for: purpose)
        // A fault is a fault, whatever it is called.
        if response.status >= 500, said.code.endsSession { throw AuthError(noAnswer: response) }
        throw AuthError(
            said.code, reason: said.reason, retryAfter: response.retryAfter, violations: said.violations,
            page: said.page)
    }
}
