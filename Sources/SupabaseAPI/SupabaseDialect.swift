// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import ServerKit

/// What this dialect stands on, and how it is set up.
public struct SupabaseDialect: Sendable {
    public struct Settings: Sendable {
        /// The server's URL as its clients know it, without a slash at the end.
        public var externalURL: String
        /// Where the operations are under it: `/auth/v1`, or nothing behind a gateway that strips it.
        public var pathPrefix: String
        /// Whether each call must name its project by the `apikey` header. A gateway may have checked it already.
        public var requiresAPIKey: Bool

        public init(externalURL: String, pathPrefix: String = "/auth/v1", requiresAPIKey: Bool = true) {
            self.externalURL = externalURL
            self.pathPrefix = pathPrefix
            self.requiresAPIKey = requiresAPIKey
        }
    }

    let ports: AccountPorts
    let keys: KeyRing
    let directories: DirectoryCatalog
    let limiter: RateLimiter
    let settings: Settings

    public init(
        ports: AccountPorts, keys: KeyRing, directories: DirectoryCatalog, limiter: RateLimiter, settings: Settings
    ) {
        self.ports = ports
        self.keys = keys
        self.directories = directories
        self.limiter = limiter
        self.settings = settings
    }

    /// The URL of this dialect for one Directory: the default one's, or `/directories/{name}` before the prefix.
    func baseURL(of directory: Directory) -> String {
        let place = directory.name == DirectoryCatalog.defaultName ? "" : "/directories/" + directory.name
        return settings.externalURL + place + settings.pathPrefix
    }

    /// The `iss` of the Directory's tokens.
    public func issuer(of directory: Directory) -> String { directory.settings.issuer ?? baseURL(of: directory) }
}
