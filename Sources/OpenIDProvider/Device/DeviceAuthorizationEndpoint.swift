// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// `POST /oauth2/device_authorization` (RFC 8628, section 3.1): a device without a browser begins to sign in. Its user
/// answers on the page that the response names.
enum DeviceAuthorizationEndpoint {
    static func post(_ call: ProviderCall) async throws -> Response {
        try call.parameters.requireSingle()
        let (client, call) = try await call.authenticated()
        guard client.mayUse(.deviceCode) else {
            throw OAuthError.unauthorizedClient("The client is not registered for this grant")
        }
        let begun = try await call.accounts.beginDeviceAuthorization(
            scopes: call.parameters.words("scope"), resources: try Resource.list(call.parameters), call: call.flow)
        // The Directory's pages are where its issuer is.
        let page = call.issuer + "/account/device"
        let code = begun.userCode.text
        return Answer.object([
            "device_code": .string(begun.deviceCode.reveal()), "user_code": .string(code),
            "verification_uri": .string(page), "verification_uri_complete": .string(page + "?user_code=" + code),
            "expires_in": .integer(begun.authorization.expiresAt.seconds - call.now.seconds),
            "interval": .integer(begun.authorization.interval),
        ])
    }
}
