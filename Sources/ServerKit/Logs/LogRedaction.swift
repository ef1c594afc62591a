// SPDX-License-Identifier: Apache-2.0

/// Metadata that never reaches a log, whoever writes it: a second lock behind not logging it in the first place.
enum LogRedaction {
    private static let secretKeys: Set<String> = [
        "authorization", "apikey", "api_key", "password", "token", "access_token", "refresh_token", "id_token", "code",
        "code_verifier", "secret", "email", "phone", "cookie", "link",
    ]

    static func isSecret(_ key: String) -> Bool { secretKeys.contains(key.lowercased()) }
}
