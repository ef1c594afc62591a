// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import JOSE
import TokenVerifier

/// The keys that `token verify` was told to use.
enum TokenKeys: Sendable {
    case published(VerificationKeySet)
    /// One secret for every token, whatever `kid` it names: there is nothing to choose from.
    case secret(Secret<[UInt8]>)
    case unavailable

    /// The largest file read.
    private static let limit = 512 << 10

    static func load(jwks: String?, secretFile: String?) async throws -> TokenKeys {
        if let secretFile {
            var bytes = try contents(secretFile)
            if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            do {
                let secret = Secret(bytes)
                _ = try VerificationKey(secret: secret, algorithm: .hs256)
                return .secret(secret)
            } catch {
                throw CommandFailure("\(secretFile): \(error)", .badData)
            }
        }
        let place = jwks ?? ""
        if place.hasPrefix("https://") || place.hasPrefix("http://") { return await fetched(place) }
        do {
            return .published(try VerificationKeySet(JWKSet(parsing: try contents(place))))
        } catch let error as JOSEError {
            throw CommandFailure("\(place): \(error)", .badData)
        }
    }

    /// The keys to check `token` with; `nil` when there are none.
    func set(for token: [UInt8]) -> VerificationKeySet? {
        switch self {
        case .published(let keys): return keys
        case .secret(let secret):
            let keyID = (try? ParsedJWS(parsing: token))?.header.keyID
            let key = try? VerificationKey(secret: secret, algorithm: .hs256, keyID: keyID)
            return key.flatMap { try? VerificationKeySet([$0]) }
        case .unavailable: return nil
        }
    }

    /// One attempt. Without keys each token is still looked at, and answered with what can be said of it.
    private static func fetched(_ url: String) async -> TokenKeys {
        do {
            return .published(try await HTTPKeyFetcher().fetch(.jwks(url: url)).keys)
        } catch {
            Output.error("\(url): \(error)")
            return .unavailable
        }
    }

    private static func contents(_ path: String) throws -> [UInt8] {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw CommandFailure("\(path): cannot be read", .notFound)
        }
        defer { try? file.close() }
        let data = try file.read(upToCount: limit + 1) ?? Data()
        guard data.count <= limit else { throw CommandFailure("\(path): more than 512 KiB", .badData) }
        return Array(data)
    }
}
