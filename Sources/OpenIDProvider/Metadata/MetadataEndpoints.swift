// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import JOSE
import ServerKit

/// What the provider says of itself (OpenID Connect Discovery 1.0, section 4; RFC 8414, section 3), and its public
/// keys.
enum MetadataEndpoints {
    /// `GET /.well-known/openid-configuration` and `/.well-known/oauth-authorization-server`: the same document.
    static func get(_ call: ProviderCall) async throws -> Response {
        let algorithms = try await call.provider.tokenKeys.idTokenAlgorithms(of: call.directory, at: call.now)
        var metadata = ProviderMetadata(
            issuer: call.provider.issuer(of: call.directory), url: call.provider.url, idTokenAlgorithms: algorithms)
        metadata.registersClients = try await call.accounts.registerClient.isOpen(in: call.directory, at: call.now)
        return Answer.document(metadata.json)
    }

    /// `GET /.well-known/jwks.json`: every key that signs tokens or is about to, and those that last did.
    static func keys(_ call: ProviderCall) async throws -> Response {
        Answer.document(try await call.provider.tokenKeys.published(of: call.directory, at: call.now).publicObject)
    }
}
