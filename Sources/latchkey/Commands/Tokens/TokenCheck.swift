// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuthTypes
import JOSE
import TokenVerifier

/// What `token verify` asks of a token, judged by the same verifier that servers use.
struct TokenCheck {
    enum Kind: String, CaseIterable, ExpressibleByArgument {
        case any, access, id
    }

    let issuer: String
    let audiences: Set<String>
    let algorithms: Set<JWSAlgorithm>
    let kind: Kind
    let leeway: TimeSpan

    func claims(of line: StandardInput.Line, keys: TokenKeys, now: Instant) throws(TokenError) -> JWTClaims {
        guard case .whole(let bytes) = line else { throw .tooLong }
        let profiles = profiles(keys.set(for: bytes))
        return try TokenVerifier(profiles, keys: NoKeys(), clock: { now }).verify(bytes).claims
    }

    /// One for each kind that will do, and for each claim that may say whom the token is for: access tokens of some
    /// issuers have no `aud`, and name the client they were issued to.
    private func profiles(_ keys: VerificationKeySet?) -> [TokenProfile] {
        // Never what is for the issuer, or tells of a session: no refresh token, no logout token.
        let kinds: [TokenKind] =
            switch kind {
            case .any: [.access, .id]
            case .access: [.access]
            case .id: [.id]
            }
        let audienceRules: [AudienceRule] = [.audiences(audiences), .clients(audiences, audiences: audiences)]
        return kinds.flatMap { kind in
            audienceRules.map { audience in
                let rules = TokenRules(
                    issuer: issuer, audience: audience, algorithms: algorithms,
                    types: kind == .access ? [.none, .jwt, .accessToken] : [.none, .jwt], kind: kind,
                    requiresStatedKind: false, leeway: leeway)
                return keys.map { TokenProfile(name: issuer, rules: rules, keys: $0) }
                    ?? TokenProfile(name: issuer, rules: rules, keys: .fixed(id: issuer))
            }
        }
    }

    /// Where keys are that could not be fetched.
    private struct NoKeys: KeyProviding {
        func source(for _: KeyLocation) -> any KeySource { FixedKeys.empty }
    }
}

extension TokenError {
    static var tooLong: Self { Self(.malformed, "the token has more than \(ParsedJWS.defaultLimit) bytes") }

    /// One line for whoever runs the command.
    var message: String {
        // Without keys the reason is the name of the profile.
        if let reason, code != .keysUnavailable { return reason }
        return switch code {
        case .malformed: "not a signed token"
        case .unknownIssuer: "the token is of another issuer, or of none"
        case .unknownKey: "no key has the token's kid"
        case .wrongAlgorithm: "the token's alg is not one of those allowed"
        case .badSignature: "the signature is not the key's over this token"
        case .expired: "the token has expired"
        case .notYetValid: "the token's time has not come"
        case .wrongAudience: "the token is for another audience"
        case .wrongKind: "the token is not of the kind asked for"
        case .wrongBinding: "the token is bound to a key, and no request proves it"
        case .revoked: "the token has been revoked"
        case .keysUnavailable: "the issuer's keys could not be fetched"
        }
    }
}
