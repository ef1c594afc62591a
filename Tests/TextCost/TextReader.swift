// SPDX-License-Identifier: Apache-2.0

import AccountModel

/// Whatever takes a text from outside.
struct TextReader {
    let name: String
    /// Octets: its bound, or enough to see how the work grows.
    let longest: Int
    /// Whether its work follows from how long the text is, and not from what it says: then one text is as good as all.
    let countsOnly: Bool
    let read: (String) -> Void

    init(
        _ name: String, _ longest: Int = 2048, countsOnly: Bool = false, _ read: @escaping (String) throws -> Void
    ) {
        self.name = name
        self.longest = longest
        self.countsOnly = countsOnly
        // What is refused was read too.
        self.read = { try? read($0) }
    }
}

extension TextReader {
    /// Readers as they must not be.
    static var slow: [TextReader] {
        [
            TextReader("takes blanks off the front", 16 << 10) { text in
                var bytes = Array(text.utf8)
                while bytes.first == 32 { bytes.removeFirst() }
            },
            TextReader("puts marks in order", 4096) { text in
                var hasher = Hasher()
                text.hash(into: &hasher)
            },
            TextReader("looks for each among all before it", 1024) { text in
                var seen: [Substring] = []
                for part in text.split(separator: ",") where !seen.contains("x" + part) { seen.append(part) }
            },
        ]
    }
}

#if DEBUG
    @testable import AccountModel
    @testable import AuthTypes
    @testable import Accounts
    @testable import CognitoAPI
    @testable import JOSE
    import HTTPTypes
    import Logging
    @testable import Mail
    @testable import Passwords
    @testable import ServerKit
    @testable import SupabaseAPI
    @testable import TokenVerifier

    extension TextReader {
        static func all() throws -> [TextReader] {
            try values + objects + mail() + requests + provider + identityProviders
                + authenticators
        }

        /// Values of the domain.
        private static var values: [TextReader] {
            let policy = PasswordPolicy.default
            var settings = DirectorySettings()
            settings.siteURL = "https://app.example"
            settings.redirectAllowList = [
                "https://*.app.example/**", "app.example:/**/x", "https://{a,b}.example/[!x]*",
            ]
            let redirects = RedirectPolicy(settings)
            return [
                TextReader("password", 4096) { _ = policy.violations(of: Secret($0), context: [$0]) },
                TextReader("password hash", 512) { _ = try PasswordHash($0) },
                TextReader("email", 16 << 10) { _ = try EmailAddress($0) },
                TextReader("phone", 16 << 10) { _ = try PhoneNumber($0) },
                TextReader("user name") { _ = try Username($0) },
                TextReader("external identifier", 512) { _ = try ExternalIdentifier($0) },
                TextReader("group name", 512) { _ = GroupAdministration.isName(GroupAdministration.composed($0)) },
                TextReader("stream-safe text") { _ = StreamSafeText.accepts($0) },
                TextReader("profile name", 800) { _ = try ProfileChanges(name: .set($0)) },
                TextReader("picture") { _ = try ProfileChanges(picture: .set($0)) },
                TextReader("locale") { _ = try ProfileChanges(locale: .set($0)) },
                TextReader("time") { _ = Instant(rfc3339: $0) },
                TextReader("uuid") { _ = UUIDText.decode($0) },
                TextReader("hex") { _ = Hex.decode($0) },
                // Of its own making: whether another text is read or refused at once turns on its length.
                TextReader("base64") { text in
                    let bytes = Array(text.utf8)
                    _ = (Base64.decode(Base64.encode(bytes)), Base64URL.decode(Base64URL.encode(bytes)))
                },
                TextReader("pkce") { _ = PKCE.isVerifier($0) },
                TextReader("ban duration") { _ = try DurationText($0) },
                TextReader("redirect") { _ = redirects.resolve($0) },
                TextReader("redirect pattern") { _ = RedirectPattern($0) },
                TextReader("html") { _ = HTMLText.escaped($0) },
            ]
        }

        /// JSON, and what is signed.
        private static var objects: [TextReader] {
            func numbered(_ text: String, _ start: Int = 0) -> JSONObject {
                var object = JSONObject()
                for number in start..<start + text.utf8.count / 8 { object["key\(number)"] = .integer(1) }
                return object
            }
            func quoted(_ text: String) -> [UInt8] { JSONValue.string(text).serialized() }
            return [
                TextReader("json") { _ = try JSONValue(parsing: $0.utf8, limits: RequestReading.limits) },
                TextReader("json string") { _ = try JSONValue(parsing: quoted($0)) },
                TextReader("json name") {
                    let others = (0..<20).map { "\"\($0)\":0," }.joined()
                    _ = try JSONObject(parsing: Array("{\(others)".utf8) + quoted($0) + Array(":0}".utf8))
                },
                TextReader("json members", countsOnly: true) { _ = try JSONObject(parsing: numbered($0).serialized()) },
                TextReader("merge", countsOnly: true) { _ = numbered($0).merging(numbered($0, $0.utf8.count / 16)) },
                TextReader("metadata", countsOnly: true) {
                    try DirectorySettings().requireBounded(numbered($0), "metadata")
                },
                TextReader("compare", countsOnly: true) {
                    let object = numbered($0)
                    var hasher = Hasher()
                    object.hash(into: &hasher)
                    _ = object == numbered($0)
                },
                TextReader("jws") { _ = try ParsedJWS(parsing: $0.utf8) },
                TextReader("proof") {
                    let request = DPoPProof.Request(method: "POST", url: $0)
                    _ = try DPoPProof($0, for: request, at: Instant(seconds: 0))
                },
                TextReader("claims") { _ = try JWTClaims(parsing: Array($0.utf8)) },
                TextReader("claim") {
                    _ = try JWTClaims(parsing: Array("{\"sub\":".utf8) + quoted($0) + Array("}".utf8))
                },
                TextReader("key set") { _ = try JWKSet(parsing: Array($0.utf8)) },
            ]
        }

        private static func mail() throws -> [TextReader] {
            let templates = try MailTemplates()
            let sender = try EmailAddress("a@b.example")
            return [
                TextReader("mail", 1024) { text in
                    let context = MailContext(
                        siteName: text, siteURL: text, email: text, link: text, data: ["a": .string(text)])
                    let mail = templates.render(.confirmation, in: .en, context)
                    let rendered = RenderedMail(
                        id: text, recipient: sender, subject: text, text: mail.text, html: mail.html)
                    _ =
                        MIMEMessage(
                            mail: rendered, sender: sender, senderName: text, date: Instant(seconds: 0)
                        ).bytes
                },
                TextReader("mail template") { _ = try OperatorTemplate($0, for: .html) },
                TextReader("subject template") { _ = try OperatorTemplate($0, for: .subject) },
            ]
        }

        /// What a request carries beside its body.
        private static var requests: [TextReader] {
            let writer = LogWriter(clock: { Instant(seconds: 0) }, isTerminal: false) { _ in }
            // What a value is called is the program's own: a text as a key is normalized each time that it is hashed.
            func log(_ text: String, _ handler: some LogHandler) {
                handler.log(
                    event: LogEvent(
                        level: .info, message: "\(text)", metadata: ["a": .string(text), "b": "\(text)"], source: "",
                        file: "", function: "", line: 1))
            }
            let proxies = TrustedProxies(hops: 2)
            let gateway = ClientCounting.byHeader(["User-Agent"])
            let silent = Logger(label: "text cost") { _ in SwiftLogNoOpLogHandler() }
            let pool = PoolSettings()
            let target = HTTPField.Name.amazonTarget
            let hashing = HashingRoutes(
                [HashingRoute(.post, "/", target: (target, "a"), .always, CognitoErrors())].compactMap(\.self))
            let crossOrigin = CrossOrigin(origins: ["https://a.example"])
            func request(_ fields: HTTPFields) -> HTTPRequest {
                HTTPRequest(method: .post, scheme: "http", authority: "a", path: "/", headerFields: fields)
            }
            return [
                TextReader("target", 16 << 10) { _ = hashing.route(of: request([target: $0])) },
                TextReader("expectation", 16 << 10) { _ = request([.expect: $0]).asksBeforeItsBody },
                TextReader("origin", 16 << 10) { text in
                    var fields = HTTPFields()
                    crossOrigin.answer([.origin: text], path: "/", in: &fields)
                },
                TextReader("form") { _ = try RequestReading.form($0) },
                TextReader("path") { _ = PlainPath.accepts("/" + $0) },
                TextReader("language", 1000) { _ = MessageLanguage(acceptLanguage: $0) },
                TextReader("forwarded for") { _ = proxies.client(peer: .unknown, forwardedFor: [$0, $0]) },
                TextReader("gateway's header", 16 << 10) {
                    _ = gateway.origin(of: [.userAgent: $0], client: .unknown, hops: 0, logger: silent)
                },
                TextReader("log line", 1024) { log($0, ReadableLogHandler(level: .info, writer: writer)) },
                TextReader("json log line", 1024) { log($0, JSONLogHandler(label: "a", level: .info, writer: writer)) },
                TextReader("filter") {
                    try Member.filter.check($0)
                    _ = try UserFilterText("email ^= \"\($0)\"", of: pool)
                },
                TextReader("style sheet", CustomizationSheet.longest) { _ = try CustomizationSheet($0) },
                TextReader("host", 300) { _ = DirectoryDomain.isName($0, of: .custom) },
                TextReader("user name of an operation") { try Member.username.check($0) },
                TextReader("authorization") { _ = SignatureAuthorization("AWS4-HMAC-SHA256 " + $0) },
                TextReader("canonical request", 1024) { text in
                    _ = CanonicalRequest(
                        method: "POST", target: "/\(text)?\(text)", headers: [("a", [text, text])], payloadHash: "")
                },
            ]
        }
    }
#endif
