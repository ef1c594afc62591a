// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import ServerKit

/// Who a request says it is of, and by what (RFC 6749, section 2.3; RFC 7521, section 4.2). Nothing of it is judged
/// here but that it is said in one way only.
struct ClientCredentials: Sendable {
    /// The type that an assertion must be of (RFC 7523, section 2.2).
    static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    var clientID: ClientID
    var proof: ClientProof

    /// - Throws: `invalid_request` for a request that says it in two ways, or of two clients; `invalid_client` for a
    ///   header that is not `Basic`, or broken.
    init(_ headers: HTTPFields, _ parameters: Parameters) throws(OAuthError) {
        let named = parameters["client_id"]
        let secret = parameters["client_secret"]
        let assertion = parameters["client_assertion"]
        let authorization = headers[values: .authorization]
        guard [secret != nil, assertion != nil, !authorization.isEmpty].filter(\.self).count < 2,
            authorization.count < 2
        else { throw .invalidRequest("The client shows who it is in more than one way") }
        if let field = authorization.first {
            let (id, secret) = try Self.basic(field)
            guard named == nil || named == id else {
                throw .invalidRequest("client_id is not that of the Authorization header")
            }
            clientID = ClientID(id)
            // An empty secret is none (RFC 6749, section 2.3.1): so programs without one say who they are.
            proof = secret.reveal().isEmpty ? .nothing : .secretBasic(secret)
            return
        }
        if let assertion {
            guard parameters["client_assertion_type"] == Self.assertionType else {
                throw .invalidRequest("client_assertion_type must be \(Self.assertionType)")
            }
            proof = .assertion(Secret(assertion))
        } else {
            proof = secret.map { .secretPost(Secret($0)) } ?? .nothing
        }
        guard let id = named.map({ ClientID($0) }) ?? assertion.flatMap(Self.subject) else {
            throw .invalidClient("The request names no client")
        }
        clientID = id
    }

    /// The client that a request says it is of, in whatever way; `nil` for none, and for one said so badly that the
    /// request will be refused.
    ///
    /// - Parameter credentials: what was made of the request's header and parameters.
    static func claimedID(
        _ credentials: Result<ClientCredentials, OAuthError>, _ headers: HTTPFields, _ parameters: Parameters
    ) -> ClientID? {
        if case .success(let credentials) = credentials { return credentials.clientID }
        return (parameters["client_id"] ?? headers.accessToken.flatMap { holder(of: $0.token) }).map { ClientID($0) }
    }

    /// The client that an access token was given to, not proven either.
    private static func holder(of token: String) -> String? {
        guard let token = try? ParsedJWS(parsing: token.utf8), let claims = try? JWTClaims(parsing: token.payload)
        else { return nil }
        return claims["client_id"]?.stringValue
    }

    /// Whom an assertion is about: it chooses the keys that it is judged by, and is not believed for it.
    private static func subject(of assertion: String) -> ClientID? {
        guard let token = try? ParsedJWS(parsing: assertion.utf8), let claims = try? JWTClaims(parsing: token.payload)
        else { return nil }
        return claims.subject.map { ClientID($0) }
    }

    /// Identifier and secret, each written as a form's value before they are put together (RFC 6749, section 2.3.1).
    private static func basic(_ field: String) throws(OAuthError) -> (String, Secret<String>) {
        // By octets: a character may be as long as the text, and is not compared for nothing.
        let octets = Array(field.utf8)
        let space = octets.firstIndex(of: UInt8(ascii: " ")) ?? octets.endIndex
        guard octets[..<space].map({ $0 | 0x20 }).elementsEqual("basic".utf8),
            let pair = Base64.decode(octets[space...].drop { $0 == UInt8(ascii: " ") }),
            let colon = pair.firstIndex(of: UInt8(ascii: ":")), let id = formDecoded(pair[..<colon]),
            let secret = formDecoded(pair[(colon + 1)...])
        else { throw .invalidClient("The Authorization header is not one of Basic") }
        return (id, Secret(secret))
    }

    private static func formDecoded(_ octets: ArraySlice<UInt8>) -> String? {
        // Our own identifiers and secrets stand for themselves.
        let isPlain = octets.allSatisfy {
            (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "%") && $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "&")
        }
        if isPlain { return String(decoding: octets, as: UTF8.self) }
        guard !octets.contains(UInt8(ascii: "&")), let text = String(strictUTF8: octets),
            let pairs = try? RequestReading.pairs("v=" + text)
        else { return nil }
        return pairs.first?.value
    }
}
