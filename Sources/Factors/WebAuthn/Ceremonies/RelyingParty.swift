// SPDX-License-Identifier: Apache-2.0

import Crypto

/// For whom credentials are made and used: the service, and the pages and apps that speak for it.
public struct RelyingParty: Sendable, Hashable {
    /// Whether a page of ours may ask from within a frame of another's page.
    public enum Embedding: Sendable, Hashable {
        case refused
        /// In pages of these origins alone; a client that does not say in whose page it is, is refused.
        case within([String])
        /// In anybody's: who may frame the page is for its own headers to say.
        case anywhere
    }

    /// The relying party identifier: a domain, such as `example.org`.
    public var id: String
    /// Origins of our pages and apps, each written as clients do: `https://login.example.org`,
    /// `https://example.org:8443`, `android:apk-key-hash:…`. Compared octet by octet; none stands for another.
    public var origins: [String]
    public var embedding: Embedding

    public init(id: String, origins: [String], embedding: Embedding = .refused) {
        self.id = id
        self.origins = origins
        self.embedding = embedding
    }

    func check(_ data: AuthenticatorData) throws(WebAuthnError) {
        guard data.relyingPartyHash.elementsEqual(SHA256.hash(data: Array(id.utf8))) else {
            throw WebAuthnError(.relyingPartyMismatch)
        }
    }
}
