// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE
import TokenVerifier

/// An issuer that this server is: one Directory, as one dialect names it in its tokens.
///
/// Made of one reading of the Directory, and good for as long as that: see ``KnownIssuers``. A copy is a reference.
public struct OwnIssuer: Sendable {
    let made: Made
    /// What the token in question was given for, of an issuer whose tokens users give others (RFC 6749, section 3.3);
    /// `nil` where it stands for its user in all that they may do.
    public var scopes: Set<String>?

    /// Where its users are.
    public var directory: Directory { made.directory }
    /// The value of `iss`.
    public var name: String { made.name }
    /// Whom its tokens are made for: the value of `aud`, or the client.
    public var audience: String { made.audience }
    /// Which of the Directory's keys sign them.
    public var purpose: SigningKeyRecord.Purpose { made.purpose }
    /// The claim that names the session.
    public var sessionClaim: String { made.sessionClaim }
    /// Where the messages lead that are sent to its users.
    public var links: any VerificationLinks { made.links }

    /// Whether a client goes on with the token that it has once a second factor was shown by it: then when it was
    /// issued says nothing of who shows it.
    public var keepsTokens: Bool { made.keepsTokens }

    /// - Parameter profile: what its tokens must be. Made of the other values here and nothing else, since it is asked
    ///   only when ``OwnTokens`` needs another verifier for them. That its tokens outlive a clock that is set back, it
    ///   says itself (`TokenProfile.issuedHere()`).
    public init(
        _ name: String, of directory: Directory, audience: String, keys purpose: SigningKeyRecord.Purpose,
        sessionClaim: String, links: any VerificationLinks, keepsTokens: Bool = false,
        profile: @escaping @Sendable (VerificationKeySet) -> TokenProfile
    ) {
        made = Made(
            directory: directory, name: name, audience: audience, purpose: purpose, sessionClaim: sessionClaim,
            links: links, keepsTokens: keepsTokens, profile: profile)
    }

    final class Made: Sendable {
        let directory: Directory
        let name: String
        let audience: String
        let purpose: SigningKeyRecord.Purpose
        let sessionClaim: String
        let links: any VerificationLinks
        let keepsTokens: Bool
        let profile: @Sendable (VerificationKeySet) -> TokenProfile
        /// What ``OwnTokens`` has judged its tokens by last.
        let judge = Mutex<OwnTokens.Judge?>(nil)

        init(
            directory: Directory, name: String, audience: String, purpose: SigningKeyRecord.Purpose,
            sessionClaim: String, links: any VerificationLinks, keepsTokens: Bool,
            profile: @escaping @Sendable (VerificationKeySet) -> TokenProfile
        ) {
            self.directory = directory
            self.name = name
            self.audience = audience
            self.purpose = purpose
            self.sessionClaim = sessionClaim
            self.links = links
            self.keepsTokens = keepsTokens
            self.profile = profile
        }
    }
}
