// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// `ExplicitAuthFlows`: which ways of signing in a client may use, in the service's present or former names.
enum AuthFlows {
    private static let present: [String: ClientFlow?] = [
        "ALLOW_USER_PASSWORD_AUTH": .password, "ALLOW_USER_SRP_AUTH": .srp, "ALLOW_REFRESH_TOKEN_AUTH": .refresh,
        "ALLOW_ADMIN_USER_PASSWORD_AUTH": .administrator, "ALLOW_CUSTOM_AUTH": .none, "ALLOW_USER_AUTH": .none,
    ]
    private static let former: [String: ClientFlow?] = [
        "USER_PASSWORD_AUTH": .password, "ADMIN_NO_SRP_AUTH": .administrator, "CUSTOM_AUTH_FLOW_ONLY": .none,
    ]
    private static let names =
        ["ADMIN_NO_SRP_AUTH", "CUSTOM_AUTH_FLOW_ONLY", "USER_PASSWORD_AUTH"]
        + [
            "ALLOW_ADMIN_USER_PASSWORD_AUTH", "ALLOW_CUSTOM_AUTH", "ALLOW_USER_PASSWORD_AUTH", "ALLOW_USER_SRP_AUTH",
            "ALLOW_REFRESH_TOKEN_AUTH", "ALLOW_USER_AUTH",
        ]
    /// What a client has that names none.
    static let usual = ["ALLOW_REFRESH_TOKEN_AUTH", "ALLOW_USER_SRP_AUTH", "ALLOW_CUSTOM_AUTH"]

    /// - Returns: the names as they are shown again, and what they mean here.
    /// - Throws: `InvalidParameterException` for an unknown name, and for present and former ones in one list.
    static func read(_ input: Input) throws(WireError) -> (names: [String], flows: Set<ClientFlow>) {
        let given = try input.choices("ExplicitAuthFlows", from: names) ?? []
        let list = given.isEmpty ? usual : given
        let isFormer = list.contains { former[$0] != nil }
        guard !isFormer || list.allSatisfy({ former[$0] != nil }) else {
            throw .parameter(
                "You cannot set ALLOW_* values for ExplicitAuthFlows in addition to the legacy values.")
        }
        var flows = Set(list.compactMap { present[$0] ?? former[$0] ?? .none })
        // The former names add to what every client could do then.
        if isFormer {
            flows.insert(.refresh)
            if !list.contains("CUSTOM_AUTH_FLOW_ONLY") { flows.insert(.srp) }
        }
        return (list, flows)
    }

    /// The names for a client that was registered otherwise.
    static func names(of flows: Set<ClientFlow>) -> [String] {
        present.compactMap { name, flow in flow.map { flows.contains($0) } ?? false ? name : nil }.sorted()
    }
}
