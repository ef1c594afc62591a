// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

@testable import Accounts
@testable import SRP

/// The client's side of SRP-6a, as far as these tests need it: S = (B − k·g^x)^(a + u·x).
struct SRPClient {
    let secret: [UInt8]
    /// A.
    let publicValue: [UInt8]

    init(random: any RandomSource = SystemRandomSource()) throws {
        secret = random.bytes(32)
        let scratch = try ScratchSpace()
        publicValue = try GroupArithmetic.shared().power(
            SecretNumber.read([SRPGroup.generator]), SecretNumber.read(secret), scratch
        ).bytes()
    }

    /// What the client shares with a server that has a verifier of `password`.
    func sharedSecret(_ challenge: SRPChallenge, password: String, realm: String) throws -> [UInt8] {
        let group = try GroupArithmetic.shared()
        let scratch = try ScratchSpace()
        let exponent = SRP.passwordExponent(
            realm: realm, identity: challenge.identity, password: password, salt: challenge.salt)
        let verifier = try SecretNumber.read(
            SRP.verifier(realm: realm, identity: challenge.identity, password: password, salt: challenge.salt))
        let masked = try group.product(SecretNumber.read(SRPGroup.multiplier), verifier, scratch).bytes()
        let base = try group.sum(
            SecretNumber.read(challenge.serverPublic), SecretNumber.read(Self.subtract(masked, from: SRPGroup.prime)))
        let scrambling = SRP.scrambling(clientPublic: publicValue, serverPublic: challenge.serverPublic)
        // Base^(a + u·x), in steps whose exponents are small.
        let left = try group.power(base, SecretNumber.read(secret), scratch)
        let scrambled = try group.power(base, SecretNumber.read(scrambling), scratch)
        let right = try group.power(scrambled, SecretNumber.read(exponent), scratch)
        return try group.product(left, right, scratch).bytes()
    }

    /// `whole` − `part`, both of one length.
    private static func subtract(_ part: [UInt8], from whole: [UInt8]) -> [UInt8] {
        var borrow = 0
        var difference: [UInt8] = []
        for (left, right) in zip(whole.reversed(), part.reversed()) {
            let value = Int(left) - Int(right) - borrow
            borrow = value < 0 ? 1 : 0
            difference.append(UInt8(truncatingIfNeeded: value))
        }
        return difference.reversed()
    }
}

extension PasswordBench {
    /// Turns SRP on, for the users whose password is set from then on.
    static func withSRP(_ change: (inout DirectorySettings) -> Void = { _ in }) async throws -> PasswordBench {
        try await PasswordBench { settings in
            settings.password.srpEnabled = true
            change(&settings)
        }
    }

    /// A confirmed user with ``password`` and its verifier.
    @discardableResult
    func srpUser(
        _ email: String? = "a@example.com", phone: String? = nil,
        _ change: @escaping @Sendable (inout User) throws -> Void = { _ in }
    ) async throws -> User {
        let made = try await user(email, phone: phone)
        let directory = base.directory
        let random = ports.random
        try await write(made) { user in
            user.srpVerifier = try SRPVerifier(
                of: Secret(Self.password), for: user.id, in: directory, random: random)
            try change(&user)
        }
        return try await base.reload(made)
    }
}
