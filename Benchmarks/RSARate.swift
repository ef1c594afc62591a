// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuthTypes
import Crypto
import CryptoExtras
import Foundation
import JOSE
import RSA
import Synchronization

/// How often swift-crypto alone signs in a second, or libcrypto, which the server signs with.
struct RSARate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rsa", abstract: "Count RS256 signatures (2048 bits) a second, on every core.")

    @Option(help: "Threads; 0 for one a core.")
    var threads = 0

    @Option(help: "Seconds to measure for.")
    var seconds = 5.0

    @Flag(help: "Sign by libcrypto.")
    var libcrypto = false

    func run() throws {
        let count = threads > 0 ? threads : ProcessInfo.processInfo.activeProcessorCount
        let generated = try SigningKey.generate(.rs256)
        guard let der = generated.rsaPrivateKey else { throw ExitCode.failure }
        let key = try _RSA.Signing.PrivateKey(derRepresentation: der.reveal())
        let other = try RSAPrivateKey(der: der)
        // Of the length of a usual access token's header and payload.
        let message = Array(repeating: UInt8(ascii: "e"), count: 900)
        let signatures = Atomic<Int>(0)
        let start = ContinuousClock.now
        let end = start.advanced(by: .seconds(seconds))
        DispatchQueue.concurrentPerform(iterations: count) { _ in
            while ContinuousClock.now < end {
                let isSigned =
                    libcrypto
                    ? (try? other.signature(for: message, algorithm: .rs256)) != nil
                    : (try? key.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)) != nil
                guard isSigned else { return }
                signatures.add(1, ordering: .relaxed)
            }
        }
        print(Double(signatures.load(ordering: .relaxed)) / ((ContinuousClock.now - start) / .seconds(1)))
    }
}
