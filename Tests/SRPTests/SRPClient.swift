// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

@testable import SRP

/// The client's side of SRP-6a, for tests.
struct SRPClient {
    let secret: [UInt8]
    let publicValue: [UInt8]

    init(secret: [UInt8]) throws {
        self.secret = secret
        publicValue = try GroupArithmetic.shared().power(.read([SRPGroup.generator]), .read(secret), ScratchSpace())
            .bytes()
    }

    /// S = (B − k·g^x)^(a + u·x), here as B' ^ a · (B' ^ u) ^ x with B' = B + (N − k·g^x).
    func sharedSecret(
        serverPublic: [UInt8], realm: String, identity: String, password: String, salt: [UInt8]
    ) throws -> (sharedSecret: [UInt8], scrambling: [UInt8]) {
        let group = try GroupArithmetic.shared()
        let scratch = try ScratchSpace()
        let x = SRP.passwordExponent(realm: realm, identity: identity, password: password, salt: salt)
        let u = SRP.scrambling(clientPublic: publicValue, serverPublic: serverPublic)
        let verifier = try group.power(.read([SRPGroup.generator]), .read(x), scratch)
        let masked = try group.product(verifier, .read(SRPGroup.multiplier), scratch).bytes()
        let base = try group.sum(.read(serverPublic), .read(Self.negated(masked)))
        let left = try group.power(base, .read(secret), scratch)
        let right = try group.power(group.power(base, .read(u), scratch), .read(x), scratch)
        return (try group.product(left, right, scratch).bytes(), u)
    }

    /// N − number, digit by digit.
    static func negated(_ number: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var borrow = 0
        for (digit, prime) in zip(number, SRPGroup.prime).reversed() {
            let difference = Int(prime) - Int(digit) - borrow
            borrow = difference < 0 ? 1 : 0
            result.append(UInt8(truncatingIfNeeded: difference))
        }
        return result.reversed()
    }
}
