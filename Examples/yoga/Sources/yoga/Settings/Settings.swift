// SPDX-License-Identifier: Apache-2.0

/// Which service the app signs in to. Nothing of it is secret.
struct Settings: Codable {
    var provider: Provider
    var endpoint: String?
    /// The project's publishable or web API key.
    var key: String?
    var region: String?
    var userPoolID: String?
    var clientID: String?
    /// Whose pages a browser shows.
    var domain: String?
    var issuer: String?
    var redirectURI: String?
    /// The app's own API.
    var api: String?
}
