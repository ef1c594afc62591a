// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Foundation
import ServerKit

/// What `serve --dev` adds: settings that let everything be tried, a demo user, and pages that show it all.
struct DevelopmentMode: Sendable {
    static let demoEmail = "demo@example.com"
    /// What it keeps between runs.
    static let folder = ".latchkey"
    static let databasePath = folder + "/development.sqlite"

    let demoPassword: String

    /// The demo user's password: made once, kept beside the database, so that it can be used again after a restart.
    static func prepare(random: any RandomSource) throws -> DevelopmentMode {
        let path = folder + "/demo-password"
        if let data = FileManager.default.contents(atPath: path), let text = String(data: data, encoding: .utf8),
            text.count >= 12
        {
            return DevelopmentMode(demoPassword: text)
        }
        let password = "Demo-" + Hex.encode(random.bytes(6)) + "-7X"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard
            FileManager.default.createFile(
                atPath: path, contents: Data(password.utf8), attributes: [.posixPermissions: 0o600])
        else { throw CommandFailure("\(folder): can't be written to", .unavailable) }
        return DevelopmentMode(demoPassword: password)
    }

    /// The settings a development Directory begins with. Limits are high enough for a test bench to pass.
    static var settings: DirectorySettings {
        var settings = DirectorySettings()
        settings.signUp.anonymousEnabled = true
        settings.password.srpEnabled = true
        settings.redirectAllowList = ["http://localhost:*/**", "http://127.0.0.1:*/**"]
        settings.limits.mailSent.count = 100_000
        settings.limits.messagesSent.count = 100_000
        settings.limits.verify.count = 100_000
        settings.limits.tokenRefresh.count = 1_000_000
        settings.limits.signIn.count = 100_000
        settings.limits.signUp.count = 100_000
        settings.limits.clientRegistration.count = 100_000
        settings.limits.providerEvents.count = 100_000
        settings.limits.anonymous.count = 100_000
        settings.limits.oneTimeToken.count = 100_000
        settings.limits.signInPerIdentifier.count = 10_000
        settings.limits.signInPerAccount.count = 10_000
        settings.limits.messagesPerRecipient.count = 10_000
        return settings
    }

    /// Who may call. The server's own URL is configured where a name other than the loopback's leads here.
    static func callers(of configuration: ServerConfiguration) -> LocalCallers {
        let url = configuration.externalURL.flatMap { URL(string: $0) }
        let hosts = configuration.developmentHosts + [url?.host()].compactMap(\.self)
        return LocalCallers(hosts: hosts, origins: configuration.corsOrigins)
    }

    func makeDemoUser(_ ports: AccountPorts, call: CallContext) async throws {
        _ = try await DemoData(ports).make(
            email: try EmailAddress(Self.demoEmail), password: Secret(demoPassword), call: call)
    }
}
