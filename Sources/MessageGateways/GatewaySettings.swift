// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// How to reach a gateway, and as whom.
public struct GatewaySettings: Sendable {
    /// The account that sends, where the API has a name for it beside the secret.
    public var account: String?
    public var secret: Secret<String>?
    /// Whom messages come from, as the API has it.
    public var sender: String?
    /// In place of the vendor's own: another of its regions, or the operator's gateway.
    public var url: String?
    /// Until there is a connection, and until the last byte of the answer.
    public var connect = TimeSpan.seconds(5)
    public var total = TimeSpan.seconds(20)

    public init(
        account: String? = nil, secret: Secret<String>? = nil, sender: String? = nil, url: String? = nil
    ) {
        self.account = account
        self.secret = secret
        self.sender = sender
        self.url = url
    }

    /// - Throws: ``AuthErrorCode/invalidRequest`` for a value that is not there, or that would end a header line.
    func required<Value>(_ place: KeyPath<GatewaySettings, Value?>, _ name: String) throws(AuthError) -> Value {
        guard let value = self[keyPath: place] else { throw AuthError(.invalidRequest, reason: "needed", field: name) }
        let text = (value as? Secret<String>)?.reveal() ?? value as? String ?? ""
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw AuthError(.invalidRequest, reason: "empty, or with control characters", field: name)
        }
        return value
    }

    func naming<Value>(_ name: String, _ make: () throws(AuthError) -> Value) throws(AuthError) -> Value {
        do {
            return try make()
        } catch {
            throw AuthError(error.code, reason: error.reason, field: name)
        }
    }

    func client(unlessNamed address: String?) throws(AuthError) -> GatewayClient {
        guard let url = url ?? address else { throw AuthError(.invalidRequest, reason: "needed", field: "url") }
        return try naming("url") { () throws(AuthError) in
            try GatewayClient(url: url, connect: connect, total: total)
        }
    }
}
