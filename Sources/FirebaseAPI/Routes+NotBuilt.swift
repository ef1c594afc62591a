// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird

extension Route {
    /// The platform's other operations. Each is answered as the platform answers one that it has not got, so that an
    /// app that needs it learns so at once.
    static let notBuilt: [NotBuilt] =
        clientOperations + secondFactors + adminOperations

    /// An operation that this server has not got.
    struct NotBuilt: Sendable {
        let method: HTTPRequest.Method
        let paths: [String]

        init(_ method: HTTPRequest.Method, _ paths: [String]) {
            self.method = method
            self.paths = paths
        }
    }

    private static let clientOperations: [NotBuilt] = [
        NotBuilt(.post, client("signInWithIdp", "verifyAssertion")),
        NotBuilt(.post, client("signInWithPhoneNumber", "verifyPhoneNumber")),
        NotBuilt(.post, client("sendVerificationCode", "sendVerificationCode")),
        NotBuilt(.post, client("signInWithGameCenter", "signInWithGameCenter")),
        NotBuilt(.post, client("verifyIosClient", "verifyClient")),
        NotBuilt(.post, client("issueSamlResponse", "issueSamlResponse")),
        NotBuilt(.post, legacy("signOutUser")),
        NotBuilt(.post, legacy("setProjectConfig")),
        NotBuilt(.post, host(toolkit, "/v2/accounts:revokeToken")),
    ]

    private static let secondFactors: [NotBuilt] = [
        NotBuilt(.post, factor("mfaEnrollment", "start", "finalize", "withdraw")),
        NotBuilt(.post, factor("mfaSignIn", "start", "finalize")),
        NotBuilt(.post, factor("passkeyEnrollment", "start", "finalize")),
        NotBuilt(.post, factor("passkeySignIn", "start", "finalize")),
    ]

    private static let adminOperations: [NotBuilt] = [
        // `{project}:queryAccounts` and its kind.
        NotBuilt(.post, host(toolkit, "/v1/projects/{project}", "/v1/projects/{project}/tenants/{tenant}")),
        NotBuilt(.post, admin("/accounts:query")),
        NotBuilt(.post, admin("/accounts:queryAccounts")),
        // `{tenant}:getIamPolicy` and its kind.
        NotBuilt(.post, host(toolkit, "/v2/projects/{project}/tenants/{tenant}")),
    ]

    private static func legacy(_ operation: String) -> [String] {
        host(legacyHost, "/identitytoolkit/v3/relyingparty/" + operation)
    }

    private static func factor(_ resource: String, _ operations: String...) -> [String] {
        operations.flatMap { host(toolkit, "/v2/accounts/\(resource):\($0)") }
    }
}
