// SPDX-License-Identifier: Apache-2.0

/// How a client shows at the token endpoint that it is the one it says, by the names of the registry that RFC 8414
/// (section 2, `token_endpoint_auth_methods_supported`) goes by.
public enum ClientAuthenticationMethod: String, Sendable, CaseIterable {
    /// Not at all: an app that could not keep a secret. What it may do rests on PKCE.
    case publicClient = "none"
    /// RFC 6749, section 2.3.1: in the `Authorization` header.
    case secretBasic = "client_secret_basic"
    /// The same, in the form.
    case secretPost = "client_secret_post"
    /// RFC 7523, section 2.2: an assertion signed by a key whose public part the client registered.
    case privateKey = "private_key_jwt"

    public var usesSecret: Bool { self == .secretBasic || self == .secretPost }
}
