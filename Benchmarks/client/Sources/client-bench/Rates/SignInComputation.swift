// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient

/// What a sign-in by SRP costs the device: everything from the password to the claim, with a service that answers at
/// once. Beside it are the three exponentiations of that alone, by this library's arithmetic's peers.
enum SignInComputation {
    static func measure() async throws -> JSONObject {
        let pool = ScriptedPool()
        let backend = CognitoBackend(
            CognitoConfiguration(
                region: "eu-west-1", userPoolID: "eu-west-1_Bench", clientID: "client",
                endpoint: "https://pool.example/", passwordFlow: .srp), transport: pool, clock: SystemClock())
        let exponents = PeerArithmetic.exponents()
        guard PeerArithmetic.libcrypto(exponents) == PeerArithmetic.bigInt(exponents) else {
            throw Failure("the peers differ")
        }
        var (first, ours, crypto, big) = (Times(), Times(), Times(), Times())
        let proof = SignInProof.password(identifier: "bench", password: Secret("Correct-horse-7-battery"))
        func signIn() async throws -> Duration {
            let start = ContinuousClock.now
            guard case .session = try await backend.signIn(proof) else { throw Failure("no session") }
            return ContinuousClock.now - start
        }
        // The first one makes the group's constants.
        first.add(try await signIn())
        for _ in 0..<60 {
            ours.add(try await signIn())
            var start = ContinuousClock.now
            _ = PeerArithmetic.libcrypto(exponents)
            crypto.add(ContinuousClock.now - start)
            start = .now
            _ = PeerArithmetic.bigInt(exponents)
            big.add(ContinuousClock.now - start)
        }
        return [
            "first": .object(first.report), "signIn": .object(ours.report), "libcrypto": .object(crypto.report),
            "bigInt": .object(big.report),
        ]
    }
}
