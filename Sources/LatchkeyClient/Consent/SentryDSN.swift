// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Where a project's events go: `https://{key}@{host}[:{port}][/{path}]/{project}` (Sentry's Data Source Name).
public struct SentryDSN: Sendable, Hashable {
    /// Says whose project it is. No secret.
    public let publicKey: String
    /// `https://{host}[:{port}][/{path}]/api/{project}/envelope/`.
    public let envelopeURL: String

    /// - Throws: `invalidRequest` for what is no such name. Plain `http` is for a host in the same device.
    public init(_ text: String) throws(AuthError) {
        let invalid = AuthError(.invalidRequest, reason: "not a DSN", field: "dsn")
        let isHTTPS = text.hasPrefix("https://")
        guard isHTTPS || text.hasPrefix("http://"), text.utf8.count <= 512,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !#"\"<>^`{|}?#%"#.utf8.contains($0) })
        else { throw invalid }
        let rest = text.dropFirst(isHTTPS ? 8 : 7)
        let parts = rest.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let key = parts[0].split(separator: ":").first, !key.isEmpty,
            key.utf8.allSatisfy(Self.isPlain)
        else { throw invalid }
        let place = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard place.count >= 2, let host = place.first, !host.isEmpty, let project = place.last, !project.isEmpty,
            project.utf8.allSatisfy(Self.isPlain), !place.contains(""),
            isHTTPS || ["localhost", "127.0.0.1"].contains(host.prefix { $0 != ":" })
        else { throw invalid }
        publicKey = String(key)
        let path = place.dropFirst().dropLast().map { "/" + $0 }.joined()
        envelopeURL = "\(isHTTPS ? "https" : "http")://\(host)\(path)/api/\(project)/envelope/"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (97...122).contains(byte | 0x20) || (48...57).contains(byte) || "-_".utf8.contains(byte)
    }
}
