// SPDX-License-Identifier: Apache-2.0

/// Which service the app signs in to. Nothing of it is secret; what Google calls a desktop client's secret is none
/// either.
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
    var identityPoolID: String?
    /// Who keeps the user pool's user up to date.
    var userSyncURL: String?
    /// An Auth API of Supabase's form that opens a session for Google's token: one that the app's own API takes.
    var sessionURL: String?
    var google: Google?
    var redirectURI: String?
    /// The app's own API.
    var api: String?

    /// The app at Google, for who signs in there without the service's pages.
    struct Google: Codable {
        var clientID: String
        var clientSecret: String?
        /// `nil` for Google's own.
        var authorizationEndpoint: String?
        var tokenEndpoint: String?
    }
}
