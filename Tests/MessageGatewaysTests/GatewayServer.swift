// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import Mail
import MessageGateways
import TestSupport
import Testing

/// A gateway of `Support/gateway_server.py` on a free port of the loopback interface.
struct GatewayServer {
    struct Request {
        var method: String
        var path: String
        var fields: JSONObject
        var body: String
        /// Whether it is signed as a webhook, as the other side computes it.
        var isSigned: Bool

        /// The body as a form, decoded.
        var form: [String: String] {
            var form: [String: String] = [:]
            for pair in body.split(separator: "&") {
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                form[Self.decoded(parts[0])] = parts.count > 1 ? Self.decoded(parts[1]) : ""
            }
            return form
        }

        var object: JSONObject { get throws { try JSONObject(parsing: Array(body.utf8)) } }

        private static func decoded(_ text: Substring) -> String {
            text.replacing("+", with: " ").removingPercentEncoding ?? ""
        }
    }

    private let process: ScriptProcess
    let url: String

    /// Starts one that gives `answers` in turn, and stops it when `body` is done.
    static func run(
        _ answers: [JSONObject], secret: String? = nil, _ body: @Sendable (GatewayServer) async throws -> Void
    ) async throws {
        let list = JSONValue.array(answers.map { .object($0) }).text
        try await ScriptProcess.run("Support/gateway_server.py", [list] + (secret.map { [$0] } ?? [])) { process in
            let port = try await process.line()
            try await body(GatewayServer(process: process, url: "http://127.0.0.1:\(port)"))
        }
    }

    /// What came with the next request.
    func request() async throws -> Request {
        let object = try JSONObject(parsing: Array(try await process.line().utf8))
        return Request(
            method: try #require(object["method"]?.stringValue), path: try #require(object["path"]?.stringValue),
            fields: try #require(object["fields"]?.objectValue), body: try #require(object["body"]?.stringValue),
            isSigned: object["signed"]?.boolValue == true)
    }

    static let secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"

    func settings(_ kind: TextGateway.Kind, total: TimeSpan = .minutes(5)) -> GatewaySettings {
        var settings = GatewaySettings(
            account: "AC0123", secret: Secret(kind == .webhook ? Self.secret : "s3cr&t"), sender: "+15005550006",
            url: kind == .webhook ? url + "/sms" : url)
        // Long enough for a busy machine: only an answer that never comes runs into it.
        (settings.connect, settings.total) = (.minutes(5), total)
        return settings
    }

    func settings(_: MailGateway.Kind) -> GatewaySettings {
        var settings = GatewaySettings(
            account: "mg.example.com", secret: Secret("re_s3cret"), sender: "auth@example.com", url: url)
        (settings.connect, settings.total) = (.minutes(5), .minutes(5))
        return settings
    }
}
