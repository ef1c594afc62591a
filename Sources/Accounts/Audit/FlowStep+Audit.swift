// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension FlowStep {
    /// Writes into the audit log what the call did, and owes it to whoever is told of such (``AccountEvent``).
    ///
    /// - Parameters:
    ///   - email: the address it was about, known here or not; only its keyed hash is kept.
    ///   - identifiers: of a user who may be gone from the store.
    ///   - details: names and identifiers; never an address, a secret or free text from the request.
    func record(
        _ action: AuditEvent.Action, user: UserID?, email: EmailAddress? = nil,
        identifiers: ExternalIdentifiers? = nil, details: JSONObject = [:]
    ) throws {
        let event = AuditEvent(
            id: identifier(), directoryID: directory, action: action, actor: call.actor, userID: user,
            emailHash: email.map { AuditEvent.hash($0, in: call.directory) },
            truncatedAddress: call.device.truncatedAddress,
            userAgent: call.device.userAgent.map { String($0.prefix(200)) }, details: details, at: now)
        try tx.append(event)
        try announce(event, identifiers: identifiers)
    }

    /// The same of a user and their address.
    func record(_ action: AuditEvent.Action, _ user: User, details: JSONObject = [:]) throws {
        try record(action, user: user.id, email: user.email, details: details)
    }
}

extension AuditEvent {
    /// HMAC-SHA256 under the Directory's key: one address has one hash here, and nobody without the key can try out
    /// addresses against it.
    static func hash(_ email: EmailAddress, in directory: Directory) -> String {
        let code = directory.authenticationCode(of: Array(("email\u{0}" + email.rawValue).utf8))
        return Hex.encode(Array(code.prefix(16)))
    }
}
