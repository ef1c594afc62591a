// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto

extension AuditEvent {
    /// What a flow did for `call`. The caller appends it in the transaction of what it records.
    ///
    /// - Parameters:
    ///   - email: the address it was about, known here or not; only its keyed hash is kept.
    ///   - details: names and identifiers; never an address, a secret or free text from the request.
    init(
        _ action: Action, user: UserID?, email: EmailAddress?, details: JSONObject, call: CallContext,
        random: any RandomSource
    ) {
        self.init(
            id: random.identifier(at: call.now), directoryID: call.directory.id, action: action, actor: call.actor,
            userID: user, emailHash: email.map { Self.hash($0, under: call.directory.tokenKey) },
            truncatedAddress: call.device.truncatedAddress,
            userAgent: call.device.userAgent.map { String($0.prefix(200)) }, details: details, at: call.now)
    }

    /// HMAC-SHA256 under the Directory's key: one address has one hash here, and nobody without the key can try out
    /// addresses against it.
    static func hash(_ email: EmailAddress, under key: Secret<[UInt8]>) -> String {
        let mac = HMAC<SHA256>.authenticationCode(
            for: Array(("email\u{0}" + email.rawValue).utf8), using: SymmetricKey(data: key.reveal()))
        return Hex.encode(mac.prefix(16))
    }
}
