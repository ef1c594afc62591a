// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE
import TokenVerifier

/// An issuer that this server is: one Directory, as one dialect names it in its tokens.
public struct OwnIssuer: Sendable {
    /// Where its users are.
    public var directory: Directory
    /// The value of `iss`.
    public var name: String
    /// Whom its tokens are made for: the value of `aud`, or the client.
    public var audience: String
    /// Which of the Directory's keys sign them.
    public var purpose: SigningKeyRecord.Purpose
    /// The claim that names the session.
    public var sessionClaim: String
    /// Where the messages lead that are sent to its users.
    public var links: any VerificationLinks
    /// What its tokens must be. Made of the other values here and nothing else, since it is asked only when ``OwnTokens``
    /// needs another verifier for them. That its tokens outlive a clock that is set back, it says itself
    /// (`TokenProfile.issuedHere()`).
    public var profile: @Sendable (VerificationKeySet) -> TokenProfile

    public init(
        _ name: String, of directory: Directory, audience: String, keys purpose: SigningKeyRecord.Purpose,
        sessionClaim: String, links: any VerificationLinks,
        profile: @escaping @Sendable (VerificationKeySet) -> TokenProfile
    ) {
        self.directory = directory
        self.name = name
        self.audience = audience
        self.purpose = purpose
        self.sessionClaim = sessionClaim
        self.links = links
        self.profile = profile
    }
}
