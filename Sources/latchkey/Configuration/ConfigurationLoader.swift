// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Configuration
import Foundation
import Mail
import Passwords
import SystemPackage
import Yams

/// Puts the configuration together: flags over environment over file.
struct ConfigurationLoader {
    static let keys = ConfigurationKey.all

    /// - Parameters:
    ///   - file: `nil` reads `latchkey.yaml` where there is one.
    ///   - flags: values given on the command line, by key.
    /// - Throws: ``CommandFailure`` naming the key that is unknown or whose value can't be read.
    static func load(
        file: String?, flags: [String: String], environment: [String: String]
    ) async throws -> ServerConfiguration {
        // What reads it is newer than what the package, which is the app's library too, must run on.
        guard #available(macOS 15, *) else {
            throw CommandFailure("the server needs macOS 15", .configuration)
        }
        return try await read(file: file, flags: flags, environment: environment)
    }

    @available(macOS 15, *)
    private static func read(
        file: String?, flags: [String: String], environment: [String: String]
    ) async throws -> ServerConfiguration {
        var providers: [any ConfigProvider] = []
        if !flags.isEmpty {
            providers.append(
                InMemoryProvider(
                    name: "flags",
                    values: Dictionary(
                        uniqueKeysWithValues: flags.map { name, value in
                            (
                                AbsoluteConfigKey(name.split(separator: ".").map(String.init)),
                                .init(.string(value), isSecret: false)
                            )
                        })))
        }
        try refuseUnknownVariables(environment)
        providers.append(
            EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "latchkey"))
        let path = file ?? "latchkey.yaml"
        if file != nil || FileManager.default.fileExists(atPath: path) {
            try refuseUnknownKeys(inFileAt: path)
            do {
                providers.append(try await FileProvider<YAMLSnapshot>(filePath: FilePath(path)))
            } catch {
                throw CommandFailure("\(path): not a readable YAML file", .configuration)
            }
        }
        var configuration = ServerConfiguration()
        let reader = ConfigReader(providers: providers)
        for key in keys {
            do {
                try apply(key, from: reader, to: &configuration)
            } catch let error as AuthError {
                throw CommandFailure("\(key.name): \(error.reason ?? "not a valid value")", .configuration)
            } catch {
                throw CommandFailure("\(key.name): not a valid value", .configuration)
            }
        }
        try finish(&configuration)
        return configuration
    }

    @available(macOS 15, *)
    private static func apply(
        _ key: ConfigurationKey, from reader: ConfigReader, to configuration: inout ServerConfiguration
    ) throws {
        let name = ConfigKey(key.name)
        switch key.form {
        case .list, .hosts:
            if let values = reader.stringArray(forKey: name) {
                try key.set(&configuration, .array(values.map { .string($0) }))
            } else if let text = reader.string(forKey: name) {
                try key.set(&configuration, try key.parse(text))
            }
        case .secret:
            if let text = reader.string(forKey: name, isSecret: true) { try key.set(&configuration, .string(text)) }
        case .flag, .whole, .size, .text, .choice, .texts, .wording, .colour, .link, .image:
            if let text = try text(of: name, in: reader) { try key.set(&configuration, try key.parse(text)) }
        }
    }

    /// The file keeps numbers and flags as what they are; flags and variables are text. Either will do.
    @available(macOS 15, *)
    private static func text(of key: ConfigKey, in reader: ConfigReader) throws -> String? {
        if let value = reader.string(forKey: key) { return value }
        if let value = reader.int(forKey: key) { return String(value) }
        if let value = reader.bool(forKey: key) { return String(value) }
        return nil
    }

    private static func finish(_ configuration: inout ServerConfiguration) throws {
        guard configuration.hashing.parameters.isBearable else {
            throw CommandFailure(
                "passwords.memoryKib: at least 8 for each lane, and at most 1048576 together with passwords.iterations",
                .configuration)
        }
        let fields = configuration.smtpFields
        guard !fields.host.isEmpty else { return }
        guard !fields.senderAddress.isEmpty else {
            throw CommandFailure("mail.senderAddress: needed when mail.smtp.host is set", .configuration)
        }
        let security: SMTPSettings.Security =
            switch fields.security {
            case "tls": .tls
            case "opportunistic": .opportunistic
            case "none": .none
            default: .startTLS
            }
        configuration.smtp = SMTPSettings(
            host: fields.host, port: fields.port, username: fields.username.isEmpty ? nil : fields.username,
            password: fields.username.isEmpty ? nil : fields.password, security: security,
            senderName: fields.senderName.isEmpty ? nil : fields.senderName, senderAddress: fields.senderAddress,
            authorityFile: fields.authorityFile.isEmpty ? nil : fields.authorityFile)
    }

    static func httpURL(_ text: String) throws(AuthError) -> String {
        guard let components = URLComponents(string: text), let scheme = components.scheme,
            ["http", "https"].contains(scheme), let host = components.host, !host.isEmpty, components.query == nil,
            components.fragment == nil, components.user == nil
        else { throw AuthError(.invalidRequest, reason: "expected a URL such as https://auth.example.com") }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    // MARK: Unknown names

    private static func refuseUnknownVariables(_ environment: [String: String]) throws {
        let known = Set(keys.map(\.environmentVariable))
        for name in environment.keys.sorted() where name.hasPrefix("LATCHKEY_") && !known.contains(name) {
            throw CommandFailure("\(name): no such setting; see latchkey check-config --keys", .configuration)
        }
    }

    private static func refuseUnknownKeys(inFileAt path: String) throws {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw CommandFailure("\(path): can't be read", .configuration)
        }
        let root: Any?
        do {
            root = try Yams.load(yaml: text)
        } catch {
            throw CommandFailure("\(path): not a readable YAML file", .configuration)
        }
        guard let root else { return }
        guard let mapping = root as? [String: Any] else {
            throw CommandFailure("\(path): expected settings by name", .configuration)
        }
        let known = Set(keys.map(\.name))
        for name in names(in: mapping, under: "").sorted() where !known.contains(name) {
            throw CommandFailure("\(path): \(name): no such setting; see latchkey check-config --keys", .configuration)
        }
    }

    private static func names(in mapping: [String: Any], under prefix: String) -> [String] {
        mapping.flatMap { key, value in
            if let inner = value as? [String: Any] { return names(in: inner, under: prefix + key + ".") }
            return [prefix + key]
        }
    }
}
