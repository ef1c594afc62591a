// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Logging
import TokenVerifier

/// Whoever speaks AWS's Security Token Service: the cloud itself, MinIO, Ceph. Of its operations one is called,
/// `AssumeRoleWithWebIdentity` (API version 2011-06-15), which is unsigned: this server's token is what it judges by.
public struct SecurityTokenService: TemporaryCredentialIssuing {
    private static let place = "security token service"
    /// What it says where it is not the token, the role or the trust that is wrong.
    private static let passing: Set<String> = [
        "IDPCommunicationError", "Throttling", "ThrottlingException", "InternalFailure", "ServiceUnavailable",
        "InternalError", "SlowDown", "RequestTimeout",
    ]

    private let endpoint: String
    private let client: any OutwardCalling
    private let logger: Logger

    /// - Parameters:
    ///   - endpoint: `https`, or of this very machine; the operator of the server has written it, so that it may be in
    ///     a private network.
    ///   - logger: told of what it refuses.
    /// - Throws: `AuthErrorCode.invalidRequest` for an endpoint that is neither.
    public init(endpoint: String, logger: Logger = Logger(label: "credentials")) throws(AuthError) {
        guard let address = try? KeyAddress(endpoint), !endpoint.utf8.contains(UInt8(ascii: "?")) else {
            throw AuthError(.invalidRequest, reason: "expected an https URL, or one of this machine")
        }
        var rules = OutwardClient.Rules()
        rules.privateHosts = [address.host]
        self.init(endpoint: endpoint, client: OutwardClient(rules), logger: logger)
    }

    init(endpoint: String, client: any OutwardCalling, logger: Logger) {
        self.endpoint = endpoint
        self.client = client
        self.logger = logger
    }

    public func credentials(
        for request: TemporaryCredentialRequest, now: Instant
    ) async throws(TemporaryCredentialFailure) -> TemporaryCredentials {
        var call = OutwardCall(
            post: [
                ("Action", "AssumeRoleWithWebIdentity"), ("Version", "2011-06-15"), ("RoleArn", request.role),
                ("RoleSessionName", request.sessionName), ("WebIdentityToken", request.token.reveal()),
                ("DurationSeconds", String(request.lifetime.seconds)),
            ], to: endpoint)
        call.accept = "text/xml, application/xml"
        let answer: OutwardAnswer
        do throws(OutwardFailure) {
            answer = try await client.send(call, for: Self.place)
        } catch {
            logger.warning("credentials can't be asked for", metadata: ["error": "\(error)"])
            throw .unavailable
        }
        guard let document = PlainXML(answer.body) else {
            logger.warning("credentials: no XML in the answer", metadata: ["status": "\(answer.status)"])
            throw .unavailable
        }
        guard answer.status == 200 else { throw refusal(answer.status, document) }
        guard let credentials = Self.credentials(in: document, now) else {
            logger.warning("credentials: none in the answer")
            throw .unavailable
        }
        return credentials
    }

    private func refusal(_ status: Int, _ document: PlainXML) -> TemporaryCredentialFailure {
        let code = document.text(at: ["ErrorResponse", "Error", "Code"]) ?? ""
        let message = document.text(at: ["ErrorResponse", "Error", "Message"]) ?? ""
        // What it says may be shown to operators, who can mend the trust, and to nobody else.
        logger.warning(
            "credentials refused",
            metadata: [
                "status": "\(status)", "code": .string(String(code.prefix(64))),
                "message": .string(String(message.prefix(256))),
            ])
        return (400..<500).contains(status) && !Self.passing.contains(code) ? .refused : .unavailable
    }

    /// `nil` for what is not all there, or no credentials that are good now.
    private static func credentials(in document: PlainXML, _ now: Instant) -> TemporaryCredentials? {
        let path = ["AssumeRoleWithWebIdentityResponse", "AssumeRoleWithWebIdentityResult", "Credentials"]
        func text(_ name: String, upTo limit: Int) -> String? {
            guard let text = document.text(at: path + [name]), (1...limit).contains(text.utf8.count) else { return nil }
            return text
        }
        guard let keyID = text("AccessKeyId", upTo: 128), let secret = text("SecretAccessKey", upTo: 256),
            let token = text("SessionToken", upTo: 16 << 10),
            let end = text("Expiration", upTo: 64).flatMap({ Instant(rfc3339: $0) }), end > now
        else { return nil }
        return TemporaryCredentials(
            keyID: keyID, secret: Secret(secret), sessionToken: Secret(token), expiresAt: end)
    }
}
