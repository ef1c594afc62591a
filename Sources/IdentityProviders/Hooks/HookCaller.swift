// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TokenVerifier

/// Calls one program of the operator's by HTTP: over TLS, or on this very machine. It may stand in a private network,
/// since the operator of the server has written where it is; redirects lead nowhere.
public struct HookCaller: HookCalling {
    private static let mostUnderWay = 64

    private let url: String
    private let client: OutwardClient

    /// - Parameters:
    ///   - url: where it is called.
    ///   - timeout: to the last byte of its answer.
    /// - Throws: `AuthErrorCode.invalidRequest` for a URL that is neither `https` nor one of this machine.
    public init(url: String, timeout: TimeSpan) throws(AuthError) {
        guard let address = try? KeyAddress(url) else {
            throw AuthError(.invalidRequest, reason: "expected an https URL, or an http one of this machine")
        }
        var rules = OutwardClient.Rules()
        rules.connect = min(.seconds(3), timeout)
        rules.total = timeout
        rules.largest = HookReply.limit
        rules.mostUnderWay = Self.mostUnderWay
        rules.privateHosts = [address.host]
        self.url = url
        client = OutwardClient(rules)
    }

    public func post(
        _ body: [UInt8], fields: [(name: String, value: String)]
    ) async throws(HookCallFailure) -> HookReply {
        var call = OutwardCall(get: url)
        call.method = .post
        call.body = body
        call.fields = [("Content-Type", "application/json")] + fields
        do throws(OutwardFailure) {
            let answer = try await client.send(call, for: url)
            return HookReply(status: answer.status, type: answer.type, body: answer.body)
        } catch {
            throw switch error {
            case .timedOut: .timedOut
            case .tooLarge: .tooLarge
            case .busy: .busy
            case .cancelled: .cancelled
            case .addressRefused, .unreachable, .status, .malformed: .unreachable
            }
        }
    }
}
