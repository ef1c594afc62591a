// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A name as a client carries it from one call of a sign-in to the next, sealed: of its Directory, dialect and client.
struct SealedName {
    enum Stage: String {
        case named
        case mailed
        case texted
    }

    private static let purpose = "latchkey name 1"

    private let fields: [[UInt8]]

    init(_ identifier: SignInIdentifier, _ stage: Stage, until expiry: Instant, call: CallContext) {
        fields = Self.bound(identifier, stage, call) + [Array(field: expiry.microseconds)]
    }

    private static func bound(_ identifier: SignInIdentifier, _ stage: Stage, _ call: CallContext) -> [[UInt8]] {
        [stage.rawValue, identifier.name, call.dialect?.rawValue ?? "", call.client?.id.rawValue ?? ""]
            .map { Array($0.utf8) }
    }

    /// Base64URL.
    func sealed(in directory: Directory, random: any RandomSource) throws(AuthError) -> Secret<String> {
        Secret(Base64URL.encode(try SealedFields(fields).sealed(for: Self.purpose, in: directory, random: random)))
    }

    /// - Throws: ``AuthErrorCode/flowStateNotFound`` for what was not given for this;
    ///   ``AuthErrorCode/flowStateExpired``.
    static func require(
        _ text: String, _ identifier: SignInIdentifier, _ stage: Stage, call: CallContext
    ) throws(AuthError) {
        guard text.utf8.count <= SealedFields.maximumLength, let sealed = Base64URL.decode(text),
            let fields = SealedFields(sealed, for: purpose, in: call.directory)?.fields,
            Array(fields.dropLast()) == bound(identifier, stage, call), let expiry = fields.last?.fieldNumber
        else { throw AuthError(.flowStateNotFound) }
        guard call.now < Instant(microseconds: expiry) else { throw AuthError(.flowStateExpired) }
    }
}
