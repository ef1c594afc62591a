// SPDX-License-Identifier: Apache-2.0

/// Which project an app signs in to.
public struct FirebaseConfiguration: Sendable {
    /// The web API key. No secret: it names the project.
    public var apiKey: String
    /// Of a multi-tenant project.
    public var tenantID: String?
    /// The app's bundle identifier, which keys that are restricted to an app want to see.
    public var bundleIdentifier: String?
    /// In which language the service's mails are, such as `de`; `nil` for the project's own.
    public var language: String?
    /// Where the two services are asked instead of Google's own: an emulator's address, or a server that speaks the
    /// same. Each service's host name becomes the first part of the path. Without a scheme it is plain http, as
    /// emulators are.
    public var emulator: String?

    /// A project in the vendor's cloud, unless an emulator is named.
    public init(
        apiKey: String, tenantID: String? = nil, bundleIdentifier: String? = nil, language: String? = nil,
        emulator: String? = nil
    ) {
        self.apiKey = apiKey
        self.tenantID = tenantID
        self.bundleIdentifier = bundleIdentifier
        self.language = language
        self.emulator = emulator
    }
}
