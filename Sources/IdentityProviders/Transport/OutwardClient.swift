// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import AuthTypes
import Foundation
import NIOCore
import NIOHTTP1
import TokenVerifier

/// Asks providers over HTTP, and gives none of them more than it needs: a few seconds, a few hundred kilobytes, a
/// number of calls at once, no redirect, and no way into the network that the server stands in.
///
/// Each call has a client of its own, bound to the address that was judged: the name is not looked up again when the
/// connection is made, and nothing is left to be shut down. Where no connection comes about, the name's next address is
/// tried, which is judged like the first; what may have been sent is not sent again.
struct OutwardClient: OutwardCalling {
    /// What it may cost to ask, and whom.
    struct Rules: Sendable {
        /// To a connection, and to the last byte of the answer.
        var connect = TimeSpan.seconds(3)
        var total = TimeSpan.seconds(10)
        /// Bytes of an answer.
        var largest = 256 << 10
        /// Calls that one provider may have under way.
        var mostUnderWay = 128
        /// Whether this very machine may be asked, without TLS: in development.
        var allowsLoopback = false
        /// Hosts that may be in a private network, or on this machine, as the operator of the server writes them; in
        /// lower case.
        var privateHosts: Set<String> = []

        init() {}

        /// - Parameter privateHosts: in any case.
        init(allowsLoopback: Bool, privateHosts: Set<String>) {
            self.allowsLoopback = allowsLoopback
            self.privateHosts = Set(privateHosts.map { $0.lowercased() })
        }
    }

    /// Addresses of one name that are tried.
    static let mostAddresses = 4

    private let rules: Rules
    private let gate: CallGate
    private let resolution: HostResolution

    init(_ rules: Rules = Rules(), resolution: HostResolution = HostResolution()) {
        self.rules = rules
        self.resolution = resolution
        gate = CallGate(most: rules.mostUnderWay)
    }

    func send(_ call: OutwardCall, for provider: String?) async throws(OutwardFailure) -> OutwardAnswer {
        let address: KeyAddress
        do {
            address = try KeyAddress(call.url)
        } catch {
            throw .addressRefused
        }
        guard !address.isLoopback || rules.allowsLoopback || rules.privateHosts.contains(address.host) else {
            throw .addressRefused
        }
        if let provider { try gate.enter(provider) }
        defer { if let provider { gate.leave(provider) } }
        return try await withinTime { try await answer(to: call, at: address) }
    }

    /// The client's own deadline ends with the head of the answer, and begins after the name was looked up, so that the
    /// whole needs another.
    private func withinTime(
        _ ask: @escaping @Sendable () async throws -> OutwardAnswer
    ) async throws(OutwardFailure) -> OutwardAnswer {
        let limit = Duration.microseconds(rules.total.microseconds)
        do {
            return try await withThrowingTaskGroup(of: OutwardAnswer.self) { group in
                group.addTask { try await ask() }
                group.addTask {
                    try await Task.sleep(for: limit)
                    throw OutwardFailure.timedOut
                }
                defer { group.cancelAll() }
                guard let first = try await group.next() else { throw OutwardFailure.unreachable }
                return first
            }
        } catch let failure as OutwardFailure {
            throw failure
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw Self.failure(error)
        }
    }

    private static func failure(_ error: any Error) -> OutwardFailure {
        let timeouts: [HTTPClientError] = [
            .deadlineExceeded, .connectTimeout, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout,
        ]
        switch error as? HTTPClientError {
        case .cancelled?: return .cancelled
        case let error? where timeouts.contains(error): return .timedOut
        default: return .unreachable
        }
    }

    private func answer(to call: OutwardCall, at address: KeyAddress) async throws -> OutwardAnswer {
        let known = await resolution.addresses(of: address.host)
        guard !known.isEmpty else { throw OutwardFailure.unreachable }
        let isOwn = address.isLoopback || rules.privateHosts.contains(address.host)
        var failure: any Error = OutwardFailure.addressRefused
        for place in Self.places(known, isOwn: isOwn) {
            try Task.checkCancellation()
            do {
                return try await answer(to: call, at: address, place)
            } catch let error where Self.isUnconnected(error) {
                failure = error
            }
        }
        throw failure
    }

    /// The addresses to try, in their order.
    ///
    /// - Parameter isOwn: whether they may be in a private network.
    static func places(_ known: [String], isOwn: Bool) -> ArraySlice<String> {
        AddressOrder.alternating(known.filter { isOwn || PublicAddress.contains($0) }).prefix(mostAddresses)
    }

    /// Whether no connection was made: then nothing was sent. Other errors, such as a connection that was reset, may be
    /// of one that was.
    private static func isUnconnected(_ error: any Error) -> Bool {
        switch error {
        case let error as HTTPClientError: error == .connectTimeout
        case let error as IOError:
            [ECONNREFUSED, ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL, EAFNOSUPPORT].contains(error.errnoCode)
        default: false
        }
    }

    private func answer(to call: OutwardCall, at address: KeyAddress, _ place: String) async throws -> OutwardAnswer {
        try await HTTPClient.withHTTPClient(configuration: configuration(address, place)) { client in
            let response = try await client.execute(
                request(call), timeout: .microseconds(rules.total.microseconds))
            let declared = response.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
            guard declared <= rules.largest || call.isStatusEnough else { throw OutwardFailure.tooLarge }
            var body: [UInt8] = []
            for try await part in response.body {
                guard part.readableBytes <= rules.largest - body.count else {
                    // Whoever has more to say is not listened to.
                    if call.isStatusEnough { break }
                    throw OutwardFailure.tooLarge
                }
                body.append(contentsOf: part.readableBytesView)
            }
            let type = response.headers.first(name: "Content-Type")?.prefix { $0 != ";" && $0 != " " }
            let life = CacheControl.life(
                response.headers["Cache-Control"], age: response.headers.first(name: "Age"))
            return OutwardAnswer(
                status: Int(response.status.code), type: type?.lowercased() ?? "", body: body, life: life)
        }
    }

    private func configuration(_ address: KeyAddress, _ place: String) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.timeout = .init(
            connect: .microseconds(rules.connect.microseconds), read: .microseconds(rules.total.microseconds))
        if place != address.host { configuration.dnsOverride[address.host] = place }
        return configuration
    }

    /// The client finds what its host is bound to by the host as the URL writes it.
    private static func lowerHost(_ url: String) -> String {
        let scheme = url.prefix { $0 != "/" }
        let end = url.dropFirst(scheme.count + 2).firstIndex { $0 == "/" || $0 == "?" } ?? url.endIndex
        return url[..<end].lowercased() + url[end...]
    }

    private func request(_ call: OutwardCall) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: Self.lowerHost(call.url))
        request.method =
            switch call.method {
            case .get: .GET
            case .post: .POST
            case .delete: .DELETE
            }
        request.headers.add(name: "Accept", value: call.accept)
        request.headers.add(name: "User-Agent", value: "latchkey")
        for field in call.fields { request.headers.add(name: field.name, value: field.value) }
        if !call.body.isEmpty { request.body = .bytes(ByteBuffer(bytes: call.body)) }
        return request
    }
}
