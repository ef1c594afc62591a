// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// The key under which addresses are hashed before they leave the device: 32 octets, made once for an installation.
public enum InstallationKey {
    /// Reads the key, and makes one at the first start.
    public static func load(from store: any SecureStore, random: any RandomSource) async -> Secret<[UInt8]> {
        let kept = try? await store.read(.installation)
        if let kept, kept.count == 32 { return Secret(kept) }
        let key = random.bytes(32)
        // One that can't be kept is good for as long as the app runs.
        try? await store.write(key, for: .installation)
        return Secret(key)
    }
}

extension SecureStoreKey {
    /// Under what addresses are hashed.
    public static let installation = Self(rawValue: "telemetry.installation")
}
