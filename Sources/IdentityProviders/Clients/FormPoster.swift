// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Posts forms over HTTP to where clients have themselves told. Whoever administers a Directory registers these URLs,
/// and may be somebody else than the operator of the server: they lead to the internet over TLS, and to this machine or
/// into a private network only by hosts that the operator has written.
public struct FormPoster: FormPosting {
    /// What is read of an answer, so that the connection ends in peace with whoever says little.
    private static let mostRead = 16 << 10

    private let client: any OutwardCalling

    /// - Parameters:
    ///   - allowsLoopback: whether this very machine may be posted to, without TLS: in development.
    ///   - privateHosts: hosts that may be on this machine or in a private network.
    ///   - timeout: to the end of the answer, or of what is read of it.
    public init(allowsLoopback: Bool = false, privateHosts: Set<String> = [], timeout: TimeSpan = .seconds(5)) {
        var rules = OutwardClient.Rules(allowsLoopback: allowsLoopback, privateHosts: privateHosts)
        rules.connect = min(rules.connect, timeout)
        rules.total = timeout
        rules.largest = Self.mostRead
        self.init(OutwardClient(rules))
    }

    init(_ client: any OutwardCalling) {
        self.client = client
    }

    public func post(form: String, to url: String) async throws(FormPostFailure) -> Int {
        var call = OutwardCall(get: url)
        call.method = .post
        call.accept = "*/*"
        call.fields = [("Content-Type", "application/x-www-form-urlencoded")]
        call.body = Array(form.utf8)
        call.isStatusEnough = true
        do throws(OutwardFailure) {
            return try await client.send(call, for: url).status
        } catch {
            throw switch error {
            case .addressRefused: .addressRefused
            case .timedOut: .timedOut
            case .busy: .busy
            case .cancelled: .cancelled
            case .unreachable, .tooLarge, .status, .malformed: .unreachable
            }
        }
    }
}
