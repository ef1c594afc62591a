// SPDX-License-Identifier: Apache-2.0

import AccountModel

/// `AllowedOAuthFlows`: the service's names for what a client may be given tokens for.
enum OAuthFlows {
    private static let all: KeyValuePairs<String, ClientAuthorization.Grant> = [
        "code": .code, "implicit": .implicit, "client_credentials": .clientCredentials,
    ]

    static var names: [String] { all.map(\.key) }

    static func grant(_ name: String) -> ClientAuthorization.Grant? { all.first { $0.key == name }?.value }

    /// `nil` for what the service has no name for: a client that was registered otherwise has it.
    static func name(_ grant: ClientAuthorization.Grant) -> String? { all.first { $0.value == grant }?.key }
}
