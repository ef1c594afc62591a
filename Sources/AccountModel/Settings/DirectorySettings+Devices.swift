// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension DirectorySettings {
    /// Devices that keep a secret of their own (``RememberedDevice``), for dialects whose clients know of them.
    public struct Devices: Sendable, Equatable {
        /// Whether sessions are on a device, and renewed on it alone.
        public var tracked = false
        /// Whether a device that has confirmed itself is remembered at once, or once its user says so.
        public var rememberUnasked = true
        /// Whether the secret of a remembered device stands in for a second factor.
        public var spareFactor = false
        public init() {}
    }

    static let deviceTerms: Table = [
        .flag(
            "devices.tracked", \.devices.tracked, key: "directory.devices.tracked",
            "whether a device keeps a secret by which it is known again, in dialects whose clients know of that",
            risk:
                "sessions that clients have opened so are renewed for a device that has confirmed itself, and no other"),
        .flag(
            "devices.rememberUnasked", \.devices.rememberUnasked, key: "directory.devices.rememberUnasked",
            "whether a device that has confirmed itself is remembered at once, and not only when its user says so"),
        .flag(
            "devices.spareFactor", \.devices.spareFactor, key: "directory.devices.spareFactor",
            "whether the secret of a remembered device stands in for a second factor",
            risk: "whoever copies what a device keeps needs the password alone"),
    ]
}
