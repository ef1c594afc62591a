// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto

/// What a signed-in user's program is given that asks for a link with a provider and can't send the browser there
/// itself: it calls with the user's token, which no browser that is led somewhere sends along. The browser brings the
/// ticket, is given a name of its own, and is sent on; so that what comes back is still bound to it.
///
/// A ticket is good for whoever has it, as a link in a mail is: once, and for as long as a browser may be away.
public struct LinkTicket: Sendable {
    private static let purpose = "federated-link"
    private static let requestLimit = 3 << 10

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameters:
    ///   - request: what the dialect goes on with: at most 3 KiB.
    ///   - lifetime: of the ticket.
    /// - Returns: Base64URL.
    /// - Throws: ``AuthErrorCode/invalidRequest`` for a longer request; ``AuthErrorCode/insufficientAssurance`` for who
    ///   may not link, which is judged by the token that is shown here: the ticket names the session alone.
    public func issue(
        _ request: JSONObject, to user: AuthenticatedUser, lifetime: TimeSpan, call: CallContext
    ) async throws -> String {
        let text = request.serialized()
        guard text.count <= Self.requestLimit else { throw AuthError(.invalidRequest, reason: "too long to link with") }
        try await ports.requireAssurance(user, call: call)
        let fields = SealedFields([
            Array(user.user.id.rawValue.utf8), Array((user.session?.id.rawValue ?? "").utf8), text,
            Array(field: (call.now + lifetime).microseconds),
        ])
        return Base64URL.encode(try fields.sealed(for: Self.purpose, in: call.directory, random: ports.random))
    }

    /// Takes a ticket, once: who is to be known by a provider too, and with what.
    ///
    /// - Throws: ``AuthErrorCode/flowStateNotFound`` for what is no ticket or was taken before,
    ///   ``AuthErrorCode/flowStateExpired``; what ``SessionAuthentication`` throws where the user has signed out since.
    public func redeem(
        _ ticket: String, call: CallContext
    ) async throws -> (user: AuthenticatedUser, request: JSONObject) {
        guard ticket.utf8.count <= 2 * SealedFields.maximumLength, let sealed = Base64URL.decode(ticket),
            let fields = SealedFields(sealed, for: Self.purpose, in: call.directory)?.fields, fields.count == 4,
            let request = try? JSONObject(parsing: fields[2]),
            let expiry = fields[3].fieldNumber.map({ Instant(microseconds: $0) })
        else { throw AuthError(.flowStateNotFound, reason: "no ticket of this Directory's") }
        guard expiry > call.now else { throw AuthError(.flowStateExpired, reason: "a ticket for a link") }
        let nonce = Array(SHA256.hash(data: Array(Self.purpose.utf8) + sealed))
        guard try await ports.store.write({ try $0.spend(nonce, in: call.directory.id, until: expiry) }) else {
            throw AuthError(.flowStateNotFound, reason: "a ticket that was taken before")
        }
        let user = UserID(fields[0].fieldText)
        let authentication = SessionAuthentication(ports)
        let known =
            fields[1].isEmpty
            ? try await authentication.withoutSession(user: user, call: call)
            : try await authentication(user: user, session: SessionID(fields[1].fieldText), call: call)
        return (known, request)
    }
}
