// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import AppAPI
import AuthTypes
import Foundation
import Mail
import Passwords
import ServerKit
import SupabaseAPI

/// Puts the rooms together. What the domain is given from outside (store, time, randomness, transports) is made here.
enum Composition {
    static func messages(
        for configuration: ServerConfiguration, random: any RandomSource
    ) throws -> MessageComposer {
        MessageComposer(defaults: try MailTemplates(), random: random)
    }

    static func mailTransport(for configuration: ServerConfiguration) throws -> (any MailTransport)? {
        try configuration.smtp.map { try SMTPTransport($0) }
    }
}

extension ServerConfiguration.Hashing {
    func makePool(random: any RandomSource, clock: @escaping @Sendable () -> Instant) -> PasswordHashingPool {
        PasswordHashingPool(
            parameters: parameters, threads: threads > 0 ? threads : ProcessInfo.processInfo.activeProcessorCount,
            queueLength: queueLength,
            deadline: .seconds(Int64(queueSeconds)), random: random, clock: clock)
    }
}

/// The issuers that the app's API trusts: each Directory's, as each dialect names it.
struct DirectoryIssuers: TrustedIssuers {
    let directories: DirectoryCatalog
    let store: any AccountStoring
    let supabase: SupabaseDialect

    func issuer(named name: String, at now: Instant) async throws -> TrustedIssuer? {
        if let directory = try await directories.directory(named: DirectoryCatalog.defaultName, at: now),
            let trusted = supabase.trustedIssuer(of: directory), trusted.issuer == name
        {
            return trusted
        }
        // Rare: a token of another Directory, or of a stranger.
        guard let place = supabase.directoryName(inIssuer: name),
            let directory = try await directories.directory(named: place, at: now),
            let trusted = supabase.trustedIssuer(of: directory), trusted.issuer == name
        else { return nil }
        return trusted
    }
}

extension SupabaseDialect {
    func trustedIssuer(of directory: Directory) -> TrustedIssuer? {
        TrustedIssuer(issuer: issuer(of: directory), audiences: [audience(of: directory)], directory: directory)
    }
}
