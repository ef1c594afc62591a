// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension DirectorySettings {
    /// What a Directory says of signing in by the word of other people's identity providers, whichever they are.
    public struct Federation: Sendable, Equatable {
        /// Whether a signed-in user may be known by a provider's word too, in dialects whose platform lets that be
        /// chosen.
        public var manualLinking = false
        /// For how long a browser may be away at a provider, in seconds.
        public var flowLifetime: Int64 = 300
        /// Whether providers are configured by the operations of a dialect that has such.
        public var customProviders = true
        /// How many of those there may be; 0 for as many as anybody configures.
        public var customProviderLimit = 0
    }

    static let federations: Table = [
        .flag(
            "federation.manualLinking", \.federation.manualLinking, key: "directory.federation.manualLinking",
            "whether a signed-in user may have further providers linked by redirect, in dialects whose platform lets that be "
                + "chosen",
            risk: "whoever has a session for a moment may come back by a provider of their own"),
        .whole(
            "federation.flowLifetime", \.federation.flowLifetime, in: 30...86_400,
            key: "directory.federation.flowLifetime", "seconds that a browser may be away at an identity provider"),
        .flag(
            "federation.customProviders", \.federation.customProviders, key: "directory.federation.customProviders",
            "whether identity providers are configured by the operations of a dialect that has them",
            risk: "whoever has an administrator's key then says whose word the Directory takes"),
        .whole(
            "federation.customProviderLimit", \.federation.customProviderLimit, in: 0...1000,
            key: "directory.federation.customProviderLimit", "how many of those there may be; 0 for no limit"),
    ]
}
