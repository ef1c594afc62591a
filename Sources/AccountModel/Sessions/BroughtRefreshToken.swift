// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// A refresh token that another server has made, of a session that was taken over from it: it stands for one of ours,
/// so that its holder refreshes by it as if it were that, and goes on with ours.
///
/// What is kept opens nothing: the token is found by an HMAC of it under the Directory's token key, and the secret of
/// the one that it stands for is hidden under another. Only its text, which nobody here keeps, brings that to light.
public struct BroughtRefreshToken: Sendable, Hashable {
    /// Octets of a text that may be one: fewer than ours have, so that those which somebody invents cost no look-up.
    private static let lengths = 8...64

    public var directoryID: DirectoryID
    public var hash: [UInt8]
    public var session: SessionID
    /// Of the token that it stands for.
    public var generation: UInt32
    public var hidden: [UInt8]

    /// One as the store remembers it.
    public init(
        directoryID: DirectoryID, hash: [UInt8], session: SessionID, generation: UInt32, hidden: [UInt8]
    ) {
        self.directoryID = directoryID
        self.hash = hash
        self.session = session
        self.generation = generation
        self.hidden = hidden
    }

    /// - Parameter dialect: whose clients it was made for, and are to show it.
    package init(
        _ text: Secret<String>, standingFor token: RefreshToken, in directory: Directory, for dialect: DialectName?
    ) {
        let key = directory.tokenKey
        self.init(
            directoryID: directory.id, hash: Self.hash(of: text.reveal(), under: key, for: dialect),
            session: token.session, generation: token.generation,
            hidden: zip(token.secret, Self.mask(text.reveal(), under: key, for: dialect)).map { $0 ^ $1 })
    }

    /// Whether a text has the form of one.
    package static func isPossible(_ text: String) -> Bool {
        lengths.contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// By which it is found.
    package static func hash(
        of text: String, under tokenKey: Secret<[UInt8]>, for dialect: DialectName?
    ) -> [UInt8] {
        mac("brought token", text, under: tokenKey, for: dialect)
    }

    /// Ours that it stands for.
    ///
    /// - Parameter text: what it was found by.
    package func token(shownBy text: String, under tokenKey: Secret<[UInt8]>, for dialect: DialectName?) -> RefreshToken
    {
        let secret = zip(hidden, Self.mask(text, under: tokenKey, for: dialect)).map { $0 ^ $1 }
        return RefreshToken(session: session, generation: generation, secret: secret)
    }

    private static func mask(
        _ text: String, under tokenKey: Secret<[UInt8]>, for dialect: DialectName?
    ) -> [UInt8] {
        mac("brought secret", text, under: tokenKey, for: dialect)
    }

    private static func mac(
        _ purpose: String, _ text: String, under tokenKey: Secret<[UInt8]>, for dialect: DialectName?
    ) -> [UInt8] {
        let parts = [purpose, dialect?.rawValue ?? "", text]
        return Array(
            HMAC<SHA256>.authenticationCode(
                for: Array(parts.joined(separator: "\0").utf8), using: SymmetricKey(data: tokenKey.reveal())))
    }
}

extension RefreshTokenFamily {
    /// The family of a session whose tokens another server has made: each of them has its place in it, and is judged by
    /// it.
    ///
    /// - Parameters:
    ///   - times: when each was given, the first one first, the live one last; one at least.
    ///   - rules: how long steps are remembered.
    /// - Returns: ours in the place of each.
    package static func takenOver(
        _ times: [Instant], for session: SessionID, rules: Rules, random: any RandomSource
    ) -> (family: RefreshTokenFamily, tokens: [RefreshToken]) {
        var (family, live) = open(for: session, secret: random.bytes(RefreshToken.secretLength))
        var tokens = [live]
        for time in times.dropFirst() {
            let verdict = family.present(
                live, nonce: random.bytes(16), at: time, rules: Rules(rotates: true, reuseInterval: rules.reuseInterval)
            )
            // Nothing else comes of the live token while there are generations left.
            guard case .rotated(let next) = verdict else { break }
            live = next
            tokens.append(next)
        }
        return (family, tokens)
    }
}
