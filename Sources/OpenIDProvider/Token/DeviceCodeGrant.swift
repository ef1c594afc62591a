// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `grant_type=urn:ietf:params:oauth:grant-type:device_code` (RFC 8628, section 3.4): a device asks whether its user
/// has let it in.
enum DeviceCodeGrant {
    static func answer(_ call: ProviderCall, _ client: Client) async throws -> Response {
        let code = try call.parameters.required("device_code")
        let issued = try await call.accounts.exchangeDeviceCode(
            code, dpopKey: call.key, call: call.flow)
        return try await call.answer(issued, nonce: nil, client)
    }
}
