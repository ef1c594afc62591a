// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What `CreateUserPoolDomain` and `UpdateUserPoolDomain` say of a domain.
struct DomainRequest: Sendable {
    private static let reserved = ["aws", "amazon", "cognito"]
    private static let shape = "^[a-z0-9](?:[a-z0-9\\-]{0,61}[a-z0-9])?$"

    private let name: String
    let certificate: JSONObject?
    private let version: Int64?

    /// A domain with a certificate is a host of its own.
    var kind: DirectoryDomain.Kind { certificate == nil ? .prefix : .custom }

    /// - Throws: `InvalidParameterException`, `FeatureUnavailableInTierException`.
    init(_ input: Input) throws(WireError) {
        name = try input.required(.domain)
        certificate = try Self.certificateShape.read("CustomDomainConfig", of: input)?.objectValue
        version = try input.integer("ManagedLoginVersion", in: 1...2)
        if let routing = try Self.routing.read("Routing", of: input)?.objectValue, !routing.isEmpty {
            throw WireError("FeatureUnavailableInTierException", "Routing is not available on this server.")
        }
    }

    /// What is kept and shown.
    var attributes: JSONObject {
        var json = JSONObject()
        json["CustomDomainConfig"] = certificate.map { .object($0) }
        json["ManagedLoginVersion"] = version.map { .integer($0) }
        return json
    }

    /// The name of a domain that is to be made.
    ///
    /// - Throws: `InvalidParameterException` for what is none, and for a name that is the server's own or may be a
    ///   prefix's.
    func newName(in dialect: CognitoDialect) throws(WireError) -> String {
        guard DirectoryDomain.isName(name, of: kind) else {
            throw kind == .prefix
                ? .parameter(
                    "The domain name contains an invalid character. Domain names can only contain lower-case letters, "
                        + "numbers, and hyphens. Please enter a different name that follows this format: "
                        + Self.shape)
                : .parameter("Custom domain is not a valid subdomain: \(Input.excerpt(name))")
        }
        switch kind {
        case .prefix:
            let words = name.split(separator: "-")
            if let word = Self.reserved.first(where: { words.contains(Substring($0)) }) {
                throw .parameter("Domain cannot contain reserved word: \(word)")
            }
        case .custom:
            guard name != dialect.host, dialect.prefix(inHost: name) == nil else { throw Self.taken }
        }
        return name
    }

    static let taken = WireError.parameter("Domain already associated with another user pool.")

    private static let certificateShape = WireShape.structure(
        [
            "CertificateArn": PoolMembers.arn,
            "SecurityPolicy": .choice(["TLS_V1", "TLS_V1_2_2021", "TLS_V1_3_2025"]),
        ], required: ["CertificateArn"])

    private static let routing = WireShape.structure([
        "Failover": .structure(
            ["SecondaryRegion": .text(5...32), "PrimaryRoute53HealthCheckId": .text(0...64)],
            required: ["SecondaryRegion", "PrimaryRoute53HealthCheckId"])
    ])
}

extension Member {
    /// The model's pattern is of prefixes alone; the service takes host names too.
    static let domain = Member("Domain", 1...63)
}
