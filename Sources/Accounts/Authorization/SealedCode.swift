// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// An authorization code that its bearer carries and the server keeps nothing of until it is redeemed (ADR 0051): what
/// it stands for, sealed.
///
/// It names the session that it becomes. A second session of that name there can't be, so of two redemptions one is
/// refused, and whatever the code has become is found by it. It ends with the browser's session that it was given in,
/// and with all codes of its user (``User/endedCodes``).
struct SealedCode: Sendable {
    /// Characters. It goes through the browser in a URL, some of which are cut at 2,000 by what stands between.
    static let maximumLength = 1536
    /// No sealed code is as short: it names three identifiers.
    static let minimumLength = 100
    private static let purpose = "latchkey authorization code 1"
    /// Octets of which Base64 makes no more characters than that, without what sealing adds.
    private static let maximumOctets = maximumLength / 4 * 3 - 64

    /// What it stands for, as it would be kept: without a hash, and named as the session.
    let content: AuthorizationCode
    /// ``User/endedCodes`` of its user when it was given.
    let endedCodes: Int64

    /// The session that the code becomes.
    var session: SessionID { SessionID(content.id.rawValue) }
    /// By which it is known to be used up where it became no session.
    var nonce: [UInt8] { Array(content.id.rawValue.utf8) }

    /// - Parameters:
    ///   - session: a name that is no session's yet.
    ///   - browser: the session that the code is given in.
    ///   - user: whose session that is.
    init(
        becoming session: SessionID, _ request: AuthorizationRequest, in browser: Session, of user: User,
        at now: Instant, expiresAt: Instant
    ) {
        content = AuthorizationCode(
            id: FlowStateID(session.rawValue), directoryID: user.directoryID, userID: user.id, codeHash: [],
            request: request, methods: browser.methods, assurance: browser.assurance, parentID: browser.id,
            createdAt: now, expiresAt: expiresAt)
        endedCodes = user.endedCodes
    }

    /// `nil` for a text that was not sealed for the Directory.
    init?(_ text: String, in directory: Directory) {
        guard (Self.minimumLength...Self.maximumLength).contains(text.utf8.count), let sealed = Base64URL.decode(text),
            let fields = SealedFields(sealed, for: Self.purpose, in: directory)?.fields, fields.count == 16,
            let createdAt = fields[4].fieldNumber, let expiresAt = fields[5].fieldNumber,
            let assurance = fields[6].fieldNumber.flatMap({ AssuranceLevel(rawValue: Int($0)) }),
            let endedCodes = fields[7].fieldNumber,
            let claims = fields[12].isEmpty ? [:] : try? JSONObject(parsing: fields[12]),
            let lists = Self.lists(fields[13...]), let methods = lists[2].methods
        else { return nil }
        let challenge = Self.optional(fields[10]).map { CodeChallenge($0) }
        if case .some(.none) = challenge { return nil }
        let request = AuthorizationRequest(
            clientID: Self.optional(fields[3]).map { ClientID($0) }, redirectURI: Self.optional(fields[8]),
            scopes: lists[0].map(\.fieldText), nonce: Self.optional(fields[9]), challenge: challenge ?? nil,
            resources: lists[1].map(\.fieldText), claims: claims, dpopKey: Self.optional(fields[11]))
        content = AuthorizationCode(
            id: FlowStateID(fields[0].fieldText), directoryID: directory.id, userID: UserID(fields[1].fieldText),
            codeHash: [], request: request, methods: methods, assurance: assurance,
            parentID: SessionID(fields[2].fieldText), createdAt: Instant(microseconds: createdAt),
            expiresAt: Instant(microseconds: expiresAt))
        self.endedCodes = endedCodes
    }

    /// Base64URL; `nil` where that would be too long for a URL, as some requests are.
    func sealed(in directory: Directory, random: any RandomSource) throws(AuthError) -> String? {
        let request = content.request
        // A list is one field. No length of its own may be cut where it is written.
        let texts = [request.redirectURI, request.nonce].compactMap(\.self) + request.scopes + request.resources
        guard texts.reduce(0, { $0 + $1.utf8.count + 2 }) <= Self.maximumOctets else { return nil }
        let fields: [[UInt8]] = [
            nonce, Array(content.userID.rawValue.utf8), Array((content.parentID?.rawValue ?? "").utf8),
            Self.field(request.clientID?.rawValue), Array(field: content.createdAt.microseconds),
            Array(field: content.expiresAt.microseconds), Array(field: Int64(content.assurance.rawValue)),
            Array(field: endedCodes), Self.field(request.redirectURI), Self.field(request.nonce),
            Self.field(request.challenge?.rawValue), Self.field(request.dpopKey),
            request.claims.isEmpty ? [] : request.claims.serialized(),
            SealedFields(request.scopes.map { Array($0.utf8) }).joined,
            SealedFields(request.resources.map { Array($0.utf8) }).joined,
            SealedFields(Array(methods: content.methods)).joined,
        ]
        guard fields.reduce(0, { $0 + $1.count + 2 }) <= Self.maximumOctets else { return nil }
        return Base64URL.encode(try SealedFields(fields).sealed(for: Self.purpose, in: directory, random: random))
    }

    /// Empty for what is not there, which is another than what is empty.
    private static func field(_ text: String?) -> [UInt8] { text.map { [1] + Array($0.utf8) } ?? [] }

    private static func optional(_ field: [UInt8]) -> String? { field.isEmpty ? nil : Array(field[1...]).fieldText }

    private static func lists(_ fields: ArraySlice<[UInt8]>) -> [[[UInt8]]]? {
        let lists = fields.compactMap { SealedFields(joined: $0)?.fields }
        return lists.count == fields.count ? lists : nil
    }
}
