// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// A mail that the development server shows instead of sending.
public struct DevelopmentMail: Sendable {
    public var id: String
    /// `confirmation`, `recovery`, `magic_link`, …
    public var kind: String
    public var text: String
    public var code: String?
    public var link: String?
    /// What a link straight into the app carries.
    public var tokenHash: String?
}

/// What a native kit of a provider would hand to an app.
public struct DevelopmentTokens: Sendable {
    public var idToken: Secret<String>?
    public var accessToken: Secret<String>
}

extension RunningServer {
    /// The newest mail to an address, waited for where the server is about to write it.
    ///
    /// - Parameters:
    ///   - kind: of the mail. `nil` takes any.
    ///   - earlier: a mail that was read before and is not meant.
    public func mail(
        to address: String, kind: String? = nil, after earlier: DevelopmentMail? = nil
    ) async throws -> DevelopmentMail {
        var found: [DevelopmentMail] = []
        for _ in 0..<600 {
            found = try await mails(to: address)
            // They come newest first.
            let newer = found.prefix { $0.id != earlier?.id }
            if let mail = newer.first(where: { kind == nil || $0.kind == kind }) { return mail }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw Failure("no \(kind ?? "mail") to \(address), but \(found.map(\.kind))")
    }

    /// All mails to an address, the newest first.
    public func mails(to address: String) async throws -> [DevelopmentMail] {
        let answer = try await send("GET", "/dev/mail.json?to=" + PercentEncoding.encode(address.utf8))
        return (try JSONValue(parsing: answer.body).arrayValue ?? []).compactMap(\.objectValue).map { mail in
            DevelopmentMail(
                id: mail["id"]?.stringValue ?? "", kind: mail["kind"]?.stringValue ?? "",
                text: mail["text"]?.stringValue ?? "", code: mail["code"]?.stringValue,
                link: mail["link"]?.stringValue, tokenHash: mail["tokenHash"]?.stringValue)
        }
    }

    /// An ID token of a provider that the development server plays, as its native kit would give it.
    ///
    /// - Parameters:
    ///   - subject: one of the provider's people, by address: an unknown one is made.
    ///   - nonce: as the token is to carry it.
    ///   - claims: instead of the provider's own; a null takes one away.
    public func identityToken(
        provider: String, subject: String, nonce: String? = nil, audience: String? = nil, claims: JSONObject = [:]
    ) async throws -> DevelopmentTokens {
        var body: JSONObject = ["provider": .string(provider), "subject": .string(subject)]
        if let nonce { body["nonce"] = .string(nonce) }
        if let audience { body["audience"] = .string(audience) }
        if !claims.isEmpty { body["claims"] = .object(claims) }
        let answer = try await send("POST", "/dev/identity-provider/id-token", json: body)
        let tokens = try JSONObject(parsing: answer.body)
        guard answer.status == 200, let access = tokens["access_token"]?.stringValue else {
            throw Failure("no tokens of \(provider): \(answer.status) \(tokens.text)")
        }
        return DevelopmentTokens(
            idToken: tokens["id_token"]?.stringValue.map { Secret($0) }, accessToken: Secret(access))
    }

    /// Asks the server something, such as what an operator would.
    ///
    /// - Parameter path: below ``url``, or a whole address.
    @discardableResult
    public func send(
        _ method: String, _ path: String, json: JSONObject? = nil, headers: [HTTPHeader] = []
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(method, path.hasPrefix("http") ? path : url + path, headers: headers)
        if let json {
            request.headers.append(HTTPHeader("Content-Type", "application/json"))
            request.body = json.serialized()
        }
        return try await SystemTransport().send(request)
    }

    /// An address that nobody has yet.
    public func freshAddress(_ name: String = "somebody", at domain: String = "example.com") -> String {
        "\(name)-\(SystemRandomSource().letters(10))@\(domain)"
    }
}
