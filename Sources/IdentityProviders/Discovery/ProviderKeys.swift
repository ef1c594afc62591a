// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import TokenVerifier

/// Fetches providers' keys by the same client as everything else, and remembers what a key says of whose it is.
final class ProviderKeys: KeyFetching {
    private let client: any OutwardCalling
    /// By location and `kid`, the member `issuer` that one vendor's keys have.
    private let issuers = Mutex(RecentlyUsed<KeyLocation, [String: String]>(most: 2 * KeyCatalog.mostLocations))

    /// Whose tokens a key may sign.
    enum Owner: Sendable, Hashable {
        /// Its set says nothing of it.
        case unsaid
        /// This issuer's alone; `{tenantid}` in it stands for any tenant.
        case issuer(String)
        /// It is none of those that the set speaks of, or the set is not known any more.
        case unknown
    }

    init(_ client: any OutwardCalling) {
        self.client = client
    }

    func fetch(_ location: KeyLocation) async throws(KeyFetchError) -> FetchedKeys {
        guard case .jwks(let url) = location else { throw .addressRefused }
        let answer: OutwardAnswer
        do throws(OutwardFailure) {
            answer = try await client.send(OutwardCall(get: url), for: nil)
        } catch {
            throw Self.error(error)
        }
        guard answer.status == 200 else { throw .status(answer.status) }
        let keys = try FetchedKeys(keySet: answer.body, life: answer.life)
        let named = try? answer.object()
        var found: [String: String] = [:]
        for key in named?["keys"]?.arrayValue ?? [] {
            guard let key = key.objectValue, let name = key["kid"]?.stringValue else { continue }
            found[name] = key["issuer"]?.stringValue
        }
        issuers.withLock { $0.use(location, default: [:]) { $0 = found } }
        return keys
    }

    /// For a set that names issuers, a token that names no key is of nobody's.
    func owner(of keyID: String?, at location: KeyLocation) -> Owner {
        guard let named = issuers.withLock({ $0.value(of: location) }) else { return .unknown }
        guard !named.isEmpty else { return .unsaid }
        return keyID.flatMap { named[$0] }.map(Owner.issuer) ?? .unknown
    }

    private static func error(_ failure: OutwardFailure) -> KeyFetchError {
        switch failure {
        case .addressRefused: .addressRefused
        case .unreachable, .busy, .cancelled: .unreachable
        case .timedOut: .timedOut
        case .tooLarge: .tooLarge
        case .status(let code): .status(code)
        case .malformed: .notKeys
        }
    }
}
