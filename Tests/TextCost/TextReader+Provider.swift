// SPDX-License-Identifier: Apache-2.0

import AccountModel

#if DEBUG
    @testable import AccountModel
    @testable import AccountPages
    @testable import Accounts
    import AuthTypes
    import HTTPTypes
    import JOSE
    @testable import OpenIDProvider
    @testable import ServerKit

    extension TextReader {
        /// What comes to the OpenID provider and its pages.
        static var provider: [TextReader] {
            func parameters(_ name: String, _ text: String) -> Parameters { Parameters([(name: name, value: text)]) }
            func cookie(_ text: String) -> HTTPFields { [.cookie: text] }
            let now = Instant(seconds: 0)
            let directory = DirectoryID("home")
            let cookies = BrowserCookies(url: "https://auth.example")
            var client = ClientAuthorization()
            client.redirectURIs = ["https://app.example/back", "http://127.0.0.1/back", "http://[::1]/back"]
            let settings = DirectorySettings()
            return [
                TextReader("parameters", 8 << 10) { text in
                    let read = Parameters(try RequestReading.pairs(text))
                    _ = (read.repeated, read["a"], read.all("resource"))
                },
                TextReader("distinct parameters", 8 << 10, countsOnly: true) { text in
                    let pairs = (0..<text.utf8.count / 8).map { (name: "n\($0)", value: "v") }
                    _ = Parameters(pairs).repeated
                },
                TextReader("basic", 8 << 10) {
                    _ = try ClientCredentials([.authorization: "Basic " + $0], Parameters())
                },
                TextReader("basic, decoded", 6 << 10) {
                    let text = Base64.encode(Array($0.utf8) + [UInt8(ascii: ":")] + Array($0.utf8))
                    _ = try ClientCredentials([.authorization: "Basic " + text], Parameters())
                },
                TextReader("assertion of a client", 8 << 10) { text in
                    let payload = Base64URL.encode(
                        Array("{\"sub\":".utf8) + JSONValue.string(text).serialized() + [125])
                    let header = Base64URL.encode(Array(#"{"alg":"ES256"}"#.utf8))
                    for token in [text, "\(header).\(payload).AA"] {
                        _ = try? ClientCredentials(
                            [:],
                            Parameters([
                                (name: "client_assertion", value: token),
                                (name: "client_assertion_type", value: ClientCredentials.assertionType),
                            ]))
                        _ = try? ClientAssertion(
                            token, of: ClientID("client"), keys: try VerificationKeySet([]),
                            issuer: "https://auth.example", at: now)
                    }
                },
                TextReader("bearer", 8 << 10) {
                    _ = ClientCredentials.claimedID(
                        .failure(.invalidClient("The request names no client")), [.authorization: "Bearer " + $0],
                        Parameters())
                },
                TextReader("scope", 8 << 10) { _ = parameters("scope", $0).words("scope") },
                TextReader("distinct scopes", 8 << 10, countsOnly: true) { text in
                    let scopes = (0..<text.utf8.count / 8).map { "scope\($0)" }.joined(separator: " ")
                    _ = parameters("scope", scopes).words("scope")
                },
                TextReader("resources", 8 << 10, countsOnly: true) { text in
                    let pairs = (0..<text.utf8.count / 16).map { (name: "resource", value: "https://\($0).example") }
                    _ = try Resource.list(Parameters(pairs))
                },
                TextReader("claims parameter", 8 << 10) { _ = try ClaimsRequest(parsing: $0) },
                TextReader("claims asked for", 4096, countsOnly: true) { text in
                    let names = (0..<text.utf8.count / 16).map { "\"claim\($0)\":null" }.joined(separator: ",")
                    _ = try ClaimsRequest(parsing: "{\"userinfo\":{\(names)}}").names(in: .userInfo)
                },
                TextReader("id token hint", 8 << 10) { _ = IDTokenHint.claimedIssuer(of: $0) },
                TextReader("challenge") { _ = CodeChallenge($0) },
                TextReader("redirect uri of a client", 8 << 10) {
                    _ = client.allows(redirectURI: $0) || client.allows(redirectURI: "http://127.0.0.1:" + $0)
                },
                TextReader("description of an error", 8 << 10) {
                    _ = OAuthError(.badRequest, OAuthError.name($0), $0).response
                },
                TextReader("cookies", 16 << 10) {
                    _ = (cookies.browser(in: cookie($0)), cookies.session(in: cookie($0), of: directory))
                },
                TextReader("language of a page", 8 << 10) {
                    _ =
                        LanguageChoice(
                            headers: cookie($0), wished: parameters("ui_locales", $0).words("ui_locales")
                        ).language
                },
                TextReader("name on a page", 8 << 10) { _ = try SignInIdentifier(typed: $0, settings) },
                TextReader("code of a device") { _ = DeviceUserCode(typed: $0) },
                TextReader("signed request", 8 << 10) { text in
                    let claims: JSONObject = [
                        "scope": .string(text), "claims": [.string(text)], "resource": [.string(text)],
                    ]
                    _ = Parameters(claims.members.flatMap { RequestObject.pairs($0.name, $0.value) }).words("scope")
                },
            ] + registration
        }

        /// What programs and operators say of clients, of APIs and on pages.
        private static var registration: [TextReader] {
            [
                TextReader("client metadata", 1024) { text in
                    let metadata = try ClientMetadata([
                        "client_name": .string(text),
                        "redirect_uris": [.string(text), .string("https://a.example/" + text)],
                        "scope": .string(text), "logo_uri": .string("https://" + text), "contacts": [.string(text)],
                        "software_id": .string(text),
                    ]).metadata()
                    _ = try metadata.registration.newClient()
                },
                TextReader("name of a client", 4096) { try Client.requireName($0) },
                TextReader("place of a client", 4096) {
                    var client = ClientAuthorization()
                    client.redirectURIs = ["https://app.example/" + $0, $0]
                    try client.requireWellFormed(hasSecret: false)
                },
                TextReader("resource server", 1024) {
                    try ResourceServerAdministration.check($0, [.init(name: $0, description: $0)])
                },
                TextReader("wording of a page", 1024) { text in
                    _ = MessageCatalog.fill(text, ["app": text])
                    _ = (PageWording.fault("footer.en", text), PageWording.fault(text, text))
                },
            ]
        }
    }
#endif
