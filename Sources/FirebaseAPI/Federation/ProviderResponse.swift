// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ServerKit

/// What an app hands on of an identity provider's: where the browser came back to with all that stood behind the
/// address and what was posted there, or a credential of the provider's own SDK in the same form.
struct ProviderResponse: Sendable {
    /// Octets of each of the two: an ID token and an access token of the largest providers.
    private static let limit = 64 << 10

    private let parameters: [String: String]

    /// Of what is given several times, the form counts before the query, and the fragment before both, as there.
    ///
    /// - Throws: `MISSING_REQUEST_URI`, `INVALID_REQUEST_URI`, `INVALID_CREDENTIAL_OR_PROVIDER_ID` for what is given
    ///   twice in one place or is not properly encoded; ``AuthErrorCode/requestTooLarge``.
    init(_ body: Input) throws {
        guard let address = try body.given("requestUri") else { throw WireError("MISSING_REQUEST_URI") }
        guard let authority = address.firstRange(of: "://")?.upperBound, authority != address.endIndex else {
            throw WireError("INVALID_REQUEST_URI")
        }
        let halves = address.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let query = halves[0].split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        let fragment = halves.dropFirst().first ?? ""
        var parameters: [String: String] = [:]
        for part in [String(query), try body.given("postBody") ?? "", String(fragment)] {
            parameters.merge(try Self.parameters(part)) { $1 }
        }
        self.parameters = parameters
    }

    /// What is given and not empty.
    subscript(name: String) -> String? { parameters[name].flatMap { $0.isEmpty ? nil : $0 } }

    func secret(_ name: String) -> Secret<String>? { self[name].map { Secret($0) } }

    /// - Throws: `INVALID_CREDENTIAL_OR_PROVIDER_ID`.
    func provider() throws(WireError) -> ProviderID {
        guard let text = self["providerId"] else { throw Self.unreadable }
        return ProviderID(text.lowercased())
    }

    private static func parameters(_ text: String) throws -> [String: String] {
        var found: [String: String] = [:]
        do {
            for (name, value) in try RequestReading.pairs(text, upTo: limit) {
                guard found.updateValue(value, forKey: name) == nil else { throw unreadable }
            }
        } catch let error as AuthError where error.code == .invalidRequest {
            throw unreadable
        }
        return found
    }

    /// The platform repeats the address; it may hold a token, which is nobody's to read in a log.
    private static let unreadable = WireError(
        "INVALID_CREDENTIAL_OR_PROVIDER_ID", "Invalid IdP response/credential.")
}
