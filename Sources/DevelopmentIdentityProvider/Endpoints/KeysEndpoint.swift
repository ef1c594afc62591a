// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import JOSE

/// The vendor's key (RFC 7517, section 5).
enum KeysEndpoint {
    static func get(_ call: Call) async throws -> Response {
        let vendor = try call.vendor
        var key = try await call.keys.key(of: vendor).publicJWK?.publicObject ?? [:]
        // Microsoft's say of which directories they are.
        if vendor == .microsoft { key["issuer"] = "https://login.microsoftonline.com/{tenantid}/v2.0" }
        var response = Answer.json(["keys": [.object(key)]])
        response.headers[.cacheControl] = "public, max-age=300"
        return response
    }
}
