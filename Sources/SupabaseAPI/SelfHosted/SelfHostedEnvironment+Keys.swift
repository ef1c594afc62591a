// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes

extension SelfHostedEnvironment {
    /// The secret that the platform's local tooling gives to everybody's project.
    static let demoSecret = "super-secret-jwt-token-with-at-least-32-characters-long"
    /// The public part (`x`) of the key that it signs with.
    static let demoKey = "M5Sjqn5zwC9Kl1zVfUUGvv9boQjCGd45G8sdopBExB4"

    private static let secretName = "GOTRUE_JWT_SECRET"
    private static let listName = "GOTRUE_JWT_KEYS"
    private static let algorithmsName = "GOTRUE_JWT_VALID_METHODS"

    /// Reads and judges the keys.
    mutating func finishKeys(isDevelopment: Bool) throws(AuthError) {
        let takesSecret = algorithms?.contains("HS256") ?? true
        if sharedSecret != nil, keyList == nil, !takesSecret {
            throw AuthError(
                .invalidRequest, reason: "leaves out HS256, and there are no other keys", field: Self.algorithmsName)
        }
        try noteDemoKeys(isDevelopment: isDevelopment)
        let allowed = isDevelopment ? [Secret(Self.demoSecret)] : []
        let list: ImportedKeys.List?
        do {
            // An empty list is what templates write for none.
            list = try keyList.flatMap { $0.reveal() == "[]" ? nil : try ImportedKeys.List($0, allowing: allowed) }
        } catch {
            throw Self.named(error, Self.listName)
        }
        if let algorithms, let list, let other = list.algorithms.first(where: { !algorithms.contains($0) }) {
            throw AuthError(
                .invalidRequest, reason: "leaves out \(other), which a key of \(Self.listName) is for",
                field: Self.algorithmsName)
        }
        do {
            keys = try ImportedKeys(
                secret: sharedSecret, list: list, secretVerifies: takesSecret, allowing: allowed)
        } catch {
            throw Self.named(error, Self.secretName)
        }
        honoursSharedSecret = sharedSecret != nil && takesSecret
    }

    /// The keys that everybody has are fit for nothing but a developer's own machine.
    private mutating func noteDemoKeys(isDevelopment: Bool) throws(AuthError) {
        let warning = "what the platform's local tooling gives to everybody: whoever knows it signs any token"
        // The secret itself is among those that are refused everywhere, for everybody's sake.
        if isDevelopment, sharedSecret?.reveal() == Self.demoSecret {
            findings.append(Finding(kind: .insecure, name: Self.secretName, reason: warning))
        }
        guard keyList?.reveal().contains(Self.demoKey) ?? false else { return }
        guard isDevelopment else {
            throw AuthError(
                .invalidRequest, reason: "has the demo key of the platform's local tooling, which everybody has",
                field: Self.listName)
        }
        findings.append(Finding(kind: .insecure, name: Self.listName, reason: warning))
    }

    private static func named(_ error: any Error, _ name: String) -> AuthError {
        AuthError(.invalidRequest, reason: (error as? AuthError)?.reason ?? "not valid", field: name)
    }
}
