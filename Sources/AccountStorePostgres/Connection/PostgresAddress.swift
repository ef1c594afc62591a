// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import CPostgres

/// Where a PostgreSQL database is and who asks for it, as a connection URI says it (libpq, "Connection URIs"). What it
/// does not say is libpq's to find: in its environment variables, its password file and its service file.
public struct PostgresAddress: Sendable, Hashable, CustomStringConvertible {
    /// libpq's parameters by their names, as they were given.
    let parameters: [String: Secret<String>]

    /// - Parameter text: `postgres://user@host:5432/database?sslmode=verify-full`; `postgresql://` is the same.
    /// - Throws: ``AuthErrorCode/invalidRequest`` that says what is wrong with it, never what stands in it: a password
    ///   whose signs were not encoded is taken for a host or a port.
    public init(parsing text: String) throws(AuthError) {
        guard let scheme = ["postgres://", "postgresql://"].first(where: text.hasPrefix), !text.utf8.contains(0) else {
            throw AuthError(.invalidRequest, reason: "expected postgres://USER@HOST/DATABASE")
        }
        let rest = text.dropFirst(scheme.count)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let signs = rest[..<end].filter { $0 == "@" }.count
        guard signs <= 1, !rest[end...].contains("@") else {
            throw AuthError(.invalidRequest, reason: "a name or password with @, / or ? has them as %40, %2F and %3F")
        }
        guard let options = PQconninfoParse(text, nil) else {
            throw AuthError(.invalidRequest, reason: "not a PostgreSQL connection URI of known parameters")
        }
        defer { PQconninfoFree(options) }
        var parameters: [String: Secret<String>] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                parameters[String(cString: keyword)] = Secret(String(cString: value))
            }
            option += 1
        }
        let port = parameters["port"]?.reveal() ?? ""
        guard port.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "," }) else {
            throw AuthError(.invalidRequest, reason: "its port is no number")
        }
        self.parameters = parameters
    }

    /// Whether a secret stands in it.
    public var hasPassword: Bool { parameters["password"] != nil || parameters["sslpassword"] != nil }

    /// Whether a network lies between, and nothing has libpq find out that it is the named server which answers, as
    /// `sslmode=verify-full` does: by default it speaks TLS with whoever answers, and without where they say that they
    /// have none.
    ///
    /// - Parameter environment: libpq's variables, for what the address leaves open.
    public func trustsTheNetwork(_ environment: [String: String]) -> Bool {
        func value(_ name: String, _ variable: String) -> String? {
            parameters[name]?.reveal() ?? environment[variable]
        }
        // What is in a service's file nobody knows here.
        guard value("service", "PGSERVICE") == nil, value("sslmode", "PGSSLMODE") != "verify-full",
            value("sslrootcert", "PGSSLROOTCERT") != "system"
        else { return false }
        let hosts = value("host", "PGHOST") ?? value("hostaddr", "PGHOSTADDR") ?? ""
        return hosts.split(separator: ",").contains { host in
            let isSocket = host.hasPrefix("/") || host.hasPrefix("@")
            return !isSocket && host != "localhost" && host != "::1" && !host.hasPrefix("127.")
        }
    }

    /// User, host, port and database: nothing else of it is for everybody's eyes.
    public var description: String {
        func value(_ name: String) -> String? { parameters[name]?.reveal() }
        let user = value("user").map { Self.encoded($0) + "@" } ?? ""
        func parts(_ text: String) -> [Substring] { text.split(separator: ",", omittingEmptySubsequences: false) }
        // Each of several hosts has its port, or all have one.
        let ports = parts(value("port") ?? "")
        let hosts = parts(value("host") ?? value("hostaddr") ?? "").enumerated().map { index, host in
            let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
            let shown = host.contains(":") ? "[\(host)]" : Self.encoded(String(host))
            return port.isEmpty ? shown : shown + ":" + port
        }
        return "postgres://" + user + hosts.joined(separator: ",") + "/" + Self.encoded(value("dbname") ?? "")
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let sign = Character(UnicodeScalar(byte))
            let isPlain = byte < 0x80 && (sign.isLetter || sign.isNumber || "-._~,".contains(sign))
            return isPlain ? String(sign) : "%" + Hex.encode([byte]).uppercased()
        }.joined()
    }

    public static func == (left: PostgresAddress, right: PostgresAddress) -> Bool {
        left.parameters.mapValues { $0.reveal() } == right.parameters.mapValues { $0.reveal() }
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
