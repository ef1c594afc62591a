// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes

/// Which client a call to the token endpoint is of, and by what it shows that it is (RFC 6749, section 2.3.1). Nothing
/// is judged here.
struct OAuthClientProof {
    let clientID: ClientID
    let proof: ClientProof

    /// - Throws: `invalid_credentials`, as the platform says all that is wrong with them; also of a client that shows
    ///   itself in two ways.
    init(_ headers: HTTPFields, _ body: Input) throws(WireError) {
        let named: String?
        let secret: Secret<String>?
        do {
            named = try body.text("client_id")
            secret = try body.secret("client_secret")
        } catch { throw Self.refusal }
        let fields = headers[values: .authorization]
        guard fields.count < 2 else { throw Self.refusal }
        let id: String
        if let field = fields.first {
            let (name, shown) = try Self.basic(field)
            guard secret == nil, named == nil || named == name else { throw Self.refusal }
            (id, proof) = (name, .secretBasic(shown))
        } else {
            guard let named else {
                throw WireError(
                    .badRequest, "invalid_credentials", "Invalid client credentials: client_id is required",
                    told: .clientSecretInvalid)
            }
            (id, proof) = (named, secret.map { .secretPost($0) } ?? .nothing)
        }
        guard UUIDText.accepts(id) else {
            throw WireError(.badRequest, "invalid_credentials", "Invalid client_id format", told: .clientSecretInvalid)
        }
        clientID = ClientID(id.lowercased())
    }

    static let refusal = WireError(
        .badRequest, "invalid_credentials", "Invalid client credentials", told: .clientSecretInvalid)

    /// Identifiers and secrets of this server have no character that a form writes otherwise.
    private static func basic(_ field: String) throws(WireError) -> (String, Secret<String>) {
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "basic", let bytes = Base64.decode(String(parts[1])),
            let text = String(strictUTF8: bytes), let colon = text.firstIndex(of: ":")
        else { throw refusal }
        return (String(text[..<colon]), Secret(String(text[text.index(after: colon)...])))
    }
}
