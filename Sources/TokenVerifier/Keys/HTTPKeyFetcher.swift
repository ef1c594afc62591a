// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import AuthTypes
import NIOCore
import NIOHTTP1
import NIOSSL

/// Fetches keys over HTTP, and believes nothing that it need not: `https` unless the server is this machine, no
/// redirect, status 200 alone, a few seconds and a few hundred kilobytes.
///
/// Each fetch has a client of its own. There is one in minutes at most, so a kept connection would be idle all the
/// time, and nothing is left to be shut down.
public struct HTTPKeyFetcher: KeyFetching {
    private let timeout: TimeSpan
    private let largest: Int
    private let authorityFile: String?

    /// - Parameters:
    ///   - timeout: For each request, from the first packet to the last byte.
    ///   - largest: Bytes that a body may have.
    ///   - authorityFile: A PEM file with the certificate authorities to believe, for an issuer inside a company;
    ///     `nil` for those of the system.
    public init(timeout: TimeSpan = .seconds(5), largest: Int = 512 << 10, authorityFile: String? = nil) {
        self.timeout = timeout
        self.largest = largest
        self.authorityFile = authorityFile
    }

    public func fetch(_ location: KeyLocation) async throws(KeyFetchError) -> FetchedKeys {
        switch location {
        case .jwks(let url):
            let answer = try await get(KeyAddress(url))
            return try FetchedKeys(keySet: answer.body, life: answer.life)
        case .certificates(let url):
            let answer = try await get(KeyAddress(url))
            return try FetchedKeys(certificates: answer.body, life: answer.life)
        case .discovery(let issuer):
            let answer = try await get(keySetAddress(of: issuer))
            return try FetchedKeys(keySet: answer.body, life: answer.life)
        case .fixed: throw .addressRefused
        }
    }

    /// The `jwks_uri` of an issuer's metadata (OpenID Connect Discovery 1.0, section 4): only what the issuer itself
    /// says counts, and an issuer elsewhere cannot name an address on this machine.
    private func keySetAddress(of issuer: String) async throws(KeyFetchError) -> KeyAddress {
        let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        guard !issuer.contains("?") else { throw .addressRefused }
        let address = try KeyAddress(base + "/.well-known/openid-configuration")
        let limits = JSONLimits(depth: 16, members: 4096, bytes: largest)
        let body = try await get(address).body
        guard let metadata = try? JSONObject(parsing: body, limits: limits) else { throw .notMetadata }
        guard metadata["issuer"]?.stringValue == issuer else { throw .wrongIssuer }
        guard let text = metadata["jwks_uri"]?.stringValue else { throw .notMetadata }
        let keys = try KeyAddress(text)
        guard address.isLoopback || !keys.isLoopback else { throw .addressRefused }
        return keys
    }

    private struct Answer: Sendable {
        var body: [UInt8]
        var life: TimeSpan?
    }

    /// The client's own deadline ends with the head of the response, so a slow body needs another.
    private func get(_ address: KeyAddress) async throws(KeyFetchError) -> Answer {
        let limit = Duration.microseconds(timeout.microseconds)
        do {
            return try await withThrowingTaskGroup(of: Answer.self) { group in
                group.addTask { try await self.answer(to: address) }
                group.addTask {
                    try await Task.sleep(for: limit)
                    throw KeyFetchError.timedOut
                }
                defer { group.cancelAll() }
                guard let first = try await group.next() else { throw KeyFetchError.unreachable }
                return first
            }
        } catch let error as KeyFetchError {
            throw error
        } catch {
            let timeouts: [HTTPClientError] = [
                .deadlineExceeded, .connectTimeout, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout,
            ]
            throw (error as? HTTPClientError).map(timeouts.contains) == true ? .timedOut : .unreachable
        }
    }

    private func answer(to address: KeyAddress) async throws -> Answer {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        if let authorityFile {
            var security = TLSConfiguration.makeClientConfiguration()
            security.trustRoots = .file(authorityFile)
            configuration.tlsConfiguration = security
        }
        let amount = TimeAmount.microseconds(timeout.microseconds)
        configuration.timeout = .init(connect: amount, read: amount)
        return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            var request = HTTPClientRequest(url: address.text)
            request.headers.add(name: "Accept", value: "application/json")
            let response = try await client.execute(request, timeout: amount)
            guard response.status == .ok else { throw KeyFetchError.status(Int(response.status.code)) }
            let declared = response.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
            guard declared <= largest else { throw KeyFetchError.tooLarge }
            var body: [UInt8] = []
            for try await part in response.body {
                guard part.readableBytes <= largest - body.count else { throw KeyFetchError.tooLarge }
                body.append(contentsOf: part.readableBytesView)
            }
            let life = CacheControl.life(
                response.headers["Cache-Control"], age: response.headers.first(name: "Age"))
            return Answer(body: body, life: life)
        }
    }
}
