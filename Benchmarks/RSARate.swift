// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuthTypes
import Crypto
import CryptoExtras
import Foundation
import JOSE
import RSA
import Synchronization

/// How often swift-crypto alone signs in a second, or libcrypto, which the server signs with; and what keys of each
/// size cost to make and to check with.
struct RSARate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rsa", abstract: "Count RS256 signatures a second, or keys made or checked, on every core.")

    @Option(help: "Threads; 0 for one a core.")
    var threads = 0

    @Option(help: "Seconds to measure for.")
    var seconds = 5.0

    @Option(help: "The size of the key: 2048, 3072 or 4096.")
    var bits = 2048

    @Flag(help: "Sign by libcrypto.")
    var libcrypto = false

    @Flag(help: "Check a signature instead of making one.")
    var check = false

    @Flag(help: "Make keys instead of signatures.")
    var make = false

    func run() throws {
        let count = threads > 0 ? threads : ProcessInfo.processInfo.activeProcessorCount
        guard let size = RSAKeySize(rawValue: bits) else {
            throw ValidationError("--bits: expected 2048, 3072 or 4096")
        }
        let generated = try SigningKey.generate(.rs256, rsaSize: size)
        guard let der = generated.rsaPrivateKey else { throw ExitCode.failure }
        let key = try _RSA.Signing.PrivateKey(derRepresentation: der.reveal())
        let other = try RSAPrivateKey(der: der)
        // Of the length of a usual access token's header and payload.
        let message = Array(repeating: UInt8(ascii: "e"), count: 900)
        let signature = try generated.signature(for: message)
        let verifier = try generated.verificationKey()
        let (make, check, libcrypto) = (make, check, libcrypto)
        let work: @Sendable () -> Bool = {
            if make { return (try? SigningKey.generate(.rs256, rsaSize: size)) != nil }
            if check { return verifier.isValid(signature, for: message[...], algorithm: .rs256) }
            if libcrypto { return (try? other.signature(for: message, algorithm: .rs256)) != nil }
            return (try? key.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)) != nil
        }
        let signatures = Atomic<Int>(0)
        let start = ContinuousClock.now
        let end = start.advanced(by: .seconds(seconds))
        DispatchQueue.concurrentPerform(iterations: count) { _ in
            while ContinuousClock.now < end {
                guard work() else { return }
                signatures.add(1, ordering: .relaxed)
            }
        }
        print(Double(signatures.load(ordering: .relaxed)) / ((ContinuousClock.now - start) / .seconds(1)))
    }
}
