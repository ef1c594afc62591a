// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import AuthTypes
import NIOCore
import NIOHTTP1
import TokenVerifier

/// Hands messages to one gateway over HTTP: `https`, or `http` to this very machine; a few seconds and a bounded
/// answer, no redirect, no proxy, and no repetition: that is the outbox's to decide.
///
/// The operator of the server chose the address, so that it may lie in a private network. Each call has a client of its
/// own: there are few of them at once, and nothing is left to be shut down.
struct GatewayClient: Sendable {
    /// Why there is no answer. Quotes nothing of what was sent or said.
    enum Failure: Error, Hashable, CustomStringConvertible {
        /// No connection, or it broke.
        case unreachable
        case timedOut
        /// More bytes than ``GatewayClient/largestAnswer``.
        case tooLarge

        var description: String {
            switch self {
            case .unreachable: "no answer, or one that broke off"
            case .timedOut: "no answer in time"
            case .tooLarge: "an answer that is too large"
            }
        }
    }

    static let largestAnswer = 64 << 10
    private static let longestWait: Int64 = 86_400

    private let base: String
    private let connect: TimeSpan
    private let total: TimeSpan

    /// - Parameters:
    ///   - url: what the paths of calls are put behind.
    ///   - connect: until there is a connection.
    ///   - total: until the last byte of the answer. Far shorter than the outbox's lease, so that no second worker
    ///     begins.
    /// - Throws: ``AuthErrorCode/invalidRequest`` for a URL that is neither `https` nor `http` to this machine.
    init(url: String, connect: TimeSpan = .seconds(5), total: TimeSpan = .seconds(20)) throws(AuthError) {
        guard (try? KeyAddress(url)) != nil, !url.contains("?") else {
            throw AuthError(.invalidRequest, reason: "expected a URL that begins with https://, or is of this machine")
        }
        base = url.hasSuffix("/") ? String(url.dropLast()) : url
        self.connect = connect
        self.total = total
    }

    func send(_ call: GatewayCall) async throws(Failure) -> GatewayAnswer {
        let limit = Duration.microseconds(total.microseconds)
        do {
            // The client's own deadline ends with the head of the answer.
            return try await withThrowingTaskGroup(of: GatewayAnswer.self) { group in
                group.addTask { try await exchange(call) }
                group.addTask {
                    try await Task.sleep(for: limit)
                    throw Failure.timedOut
                }
                defer { group.cancelAll() }
                guard let first = try await group.next() else { throw Failure.unreachable }
                return first
            }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Self.isTimeout(error) ? .timedOut : .unreachable
        }
    }

    private static func isTimeout(_ error: any Error) -> Bool {
        guard let error = error as? HTTPClientError else { return false }
        return [.deadlineExceeded, .connectTimeout, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout]
            .contains(error)
    }

    private func exchange(_ call: GatewayCall) async throws -> GatewayAnswer {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.timeout = .init(
            connect: .microseconds(connect.microseconds), read: .microseconds(total.microseconds))
        return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            var request = HTTPClientRequest(url: base + call.path)
            request.method = .POST
            request.headers.add(name: "Accept", value: "application/json")
            request.headers.add(name: "User-Agent", value: "latchkey")
            for field in call.fields { request.headers.add(name: field.name, value: field.value) }
            request.body = .bytes(ByteBuffer(bytes: call.body))
            let response = try await client.execute(request, timeout: .microseconds(total.microseconds))
            let declared = response.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
            guard declared <= Self.largestAnswer else { throw Failure.tooLarge }
            var body: [UInt8] = []
            for try await part in response.body {
                guard part.readableBytes <= Self.largestAnswer - body.count else { throw Failure.tooLarge }
                body.append(contentsOf: part.readableBytesView)
            }
            let wait = response.headers.first(name: "Retry-After").flatMap { Int64($0) }
            return GatewayAnswer(
                status: Int(response.status.code), body: body,
                wait: wait.map { .seconds(min(max($0, 0), Self.longestWait)) })
        }
    }
}
