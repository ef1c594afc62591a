// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import ServerKit
import Testing

@testable import CognitoAPI

@Suite("Domains of pools") struct DomainTests {
    private static let certificate: JSONObject = [
        "CertificateArn": "arn:aws:acm:us-east-1:123456789012:certificate/1"
    ]

    @Test("R11.6 a pool has a prefix and a domain of its own, which are described until they are deleted")
    func life() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool()
        let prefix: JSONObject = ["UserPoolId": .string(pool), "Domain": "my-app"]
        #expect(try await bench.done("CreateUserPoolDomain", prefix) == ["ManagedLoginVersion": 1])
        let custom: JSONObject = ["UserPoolId": .string(pool), "Domain": "id.example.com"]
        let made = try await bench.done(
            "CreateUserPoolDomain",
            custom.merging(["CustomDomainConfig": .object(Self.certificate), "ManagedLoginVersion": 2]))
        #expect(made == ["ManagedLoginVersion": 2, "CloudFrontDomain": "auth.example"])
        let shown = try await bench.done("DescribeUserPool", ["UserPoolId": .string(pool)])["UserPool"]?.objectValue
        #expect(shown?["Domain"] == "my-app" && shown?["CustomDomain"] == "id.example.com")
        let described = try await bench.done("DescribeUserPoolDomain", ["Domain": "my-app"])
        #expect(
            described["DomainDescription"] == [
                "UserPoolId": .string(pool), "AWSAccountId": "000000000000", "Domain": "my-app",
                "CloudFrontDistribution": "auth.example", "Version": "20260528202640", "Status": "ACTIVE",
                "ManagedLoginVersion": 1,
            ])
        let own = try await bench.done("DescribeUserPoolDomain", ["Domain": "id.example.com"])["DomainDescription"]
        #expect(own?.objectValue?["CustomDomainConfig"] == .object(Self.certificate))
        #expect(own?.objectValue?["ManagedLoginVersion"] == 2)
        for domain in [prefix, custom] { #expect(try await bench.done("DeleteUserPoolDomain", domain).isEmpty) }
        // An unknown one is no error: so the service has it.
        for name in ["my-app", "id.example.com", "nobody", "Not A Name"] {
            let none = try await bench.done("DescribeUserPoolDomain", ["Domain": .string(name)])
            #expect(none == ["DomainDescription": [:]], "\(name)")
        }
        let bare = try await bench.done("DescribeUserPool", ["UserPoolId": .string(pool)])["UserPool"]?.objectValue
        #expect(bare?["Domain"] == nil && bare?["CustomDomain"] == nil)
    }

    @Test("R11.6 an update changes the look and the certificate, and nothing that it does not say")
    func update() async throws {
        let bench = try await CognitoBench()
        let custom: JSONObject = ["UserPoolId": .string(bench.poolID), "Domain": "id.example.com"]
        _ = try await bench.done(
            "CreateUserPoolDomain", custom.merging(["CustomDomainConfig": .object(Self.certificate)]))
        let changed = try await bench.done("UpdateUserPoolDomain", custom.merging(["ManagedLoginVersion": 2]))
        #expect(changed == ["ManagedLoginVersion": 2, "CloudFrontDomain": "auth.example"])
        let other = Self.certificate.merging(["SecurityPolicy": "TLS_V1_3_2025"])
        _ = try await bench.done("UpdateUserPoolDomain", custom.merging(["CustomDomainConfig": .object(other)]))
        let own = try await bench.done("DescribeUserPoolDomain", ["Domain": "id.example.com"])["DomainDescription"]
        #expect(own?.objectValue?["CustomDomainConfig"] == .object(other))
        #expect(own?.objectValue?["ManagedLoginVersion"] == 2)
    }

    @Test("R11.6 bad input to the operations of domains is refused in the service's words")
    func refused() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool()
        let other = try await bench.makePool()
        _ = try await bench.done("CreateUserPoolDomain", ["UserPoolId": .string(other), "Domain": "taken"])
        let letters = "The domain name contains an invalid character."
        let noSuch = "InvalidParameterException: No such domain or user pool exists."
        let whose = "InvalidParameterException: Domain already associated with another user pool."
        let certificate: JSONObject = ["CustomDomainConfig": .object(Self.certificate)]
        let cases: [(String, JSONObject, String)] = [
            ("CreateUserPoolDomain", ["Domain": .null], "Value null at 'domain'"),
            ("CreateUserPoolDomain", ["Domain": 1], "SerializationException"),
            ("CreateUserPoolDomain", ["Domain": ""], "length greater than or equal to 1"),
            ("CreateUserPoolDomain", ["Domain": .string(String(repeating: "a", count: 64))], "equal to 63"),
            ("CreateUserPoolDomain", ["Domain": "My-App"], letters),
            ("CreateUserPoolDomain", ["Domain": "-a"], letters),
            ("CreateUserPoolDomain", ["Domain": "id.example.com"], letters),
            (
                "CreateUserPoolDomain", ["Domain": "my-aws-app"],
                "InvalidParameterException: Domain cannot contain reserved word: aws"
            ),
            ("CreateUserPoolDomain", ["Domain": "cognito"], "Domain cannot contain reserved word: cognito"),
            ("CreateUserPoolDomain", ["Domain": "taken"], whose),
            ("CreateUserPoolDomain", certificate.merging(["Domain": "word"]), "not a valid subdomain"),
            ("CreateUserPoolDomain", certificate.merging(["Domain": "127.0.0.1"]), "not a valid subdomain"),
            ("CreateUserPoolDomain", certificate.merging(["Domain": "auth.example"]), whose),
            ("CreateUserPoolDomain", certificate.merging(["Domain": "taken.auth.example"]), whose),
            (
                "CreateUserPoolDomain", certificate.merging(["Domain": "x.auth.us-east-1.amazoncognito.com"]), whose
            ),
            ("CreateUserPoolDomain", ["CustomDomainConfig": [:]], "Value null at 'certificateArn'"),
            (
                "CreateUserPoolDomain", ["CustomDomainConfig": ["CertificateArn": "x"]],
                "length greater than or equal to 20"
            ),
            ("CreateUserPoolDomain", ["ManagedLoginVersion": 3], "less than or equal to 2"),
            ("CreateUserPoolDomain", ["ManagedLoginVersion": "2"], "SerializationException"),
            (
                "CreateUserPoolDomain",
                ["Routing": ["Failover": ["SecondaryRegion": "us-west-2", "PrimaryRoute53HealthCheckId": "x"]]],
                "FeatureUnavailableInTierException"
            ),
            ("CreateUserPoolDomain", ["UserPoolId": "us-east-1_nobody"], "ResourceNotFoundException: User pool"),
            ("UpdateUserPoolDomain", ["Domain": "nobody"], noSuch),
            ("UpdateUserPoolDomain", ["Domain": "taken"], noSuch),
            ("DeleteUserPoolDomain", ["Domain": "nobody"], noSuch),
            ("DeleteUserPoolDomain", ["Domain": "taken"], noSuch),
            ("DeleteUserPoolDomain", ["Domain": .null], "Value null at 'domain'"),
            ("DescribeUserPoolDomain", ["Domain": .null], "Value null at 'domain'"),
        ]
        let good: JSONObject = ["UserPoolId": .string(pool), "Domain": "mine"]
        for (operation, members, said) in cases {
            let reply = try await bench.send(operation, good.merging(members))
            #expect(
                reply.status == 400 && reply.refusal.contains(said), "\(operation) \(members.text): \(reply.refusal)")
        }
        _ = try await bench.done("CreateUserPoolDomain", good)
        let second = try await bench.send("CreateUserPoolDomain", good.merging(["Domain": "second"]))
        #expect(second.refusal == "InvalidParameterException: User pool already has a domain configured.")
        let prefix = try await bench.send("UpdateUserPoolDomain", good.merging(certificate))
        #expect(prefix.exception == "InvalidParameterException")
    }

    @Test("R11.6 a request's host names the pool whose domain it is, and no other host names any")
    func hosts() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool()
        let directory = try await bench.directory(ofPool: pool).id
        _ = try await bench.done("CreateUserPoolDomain", ["UserPoolId": .string(pool), "Domain": "mine"])
        _ = try await bench.done(
            "CreateUserPoolDomain",
            [
                "UserPoolId": .string(pool), "Domain": "id.example.com",
                "CustomDomainConfig": .object(Self.certificate),
            ])
        func found(_ host: String?) async throws -> DirectoryID? {
            try await bench.dialect.directory(ofHost: host, at: bench.now)?.id
        }
        for host in [
            "mine.auth.example", "MINE.auth.example:8443", "mine.localhost:8080",
            "mine.auth.us-east-1.amazoncognito.com", "id.example.com", "id.example.com:443", "ID.Example.Com",
        ] { #expect(try await found(host) == directory, "\(host)") }
        for host in [
            nil, "", "auth.example", "auth.example:443", "mine", "mine.example", "other.auth.example", "example.com",
            "x.id.example.com", "a.mine.auth.example", "mine.auth.example.evil.example",
            "mine.auth.eu-west-1.amazoncognito.com",
            "mine.auth.example.", "mine.auth.example:x", "mine@auth.example", "[::1]:80", "127.0.0.1",
            "id.example.com/",
            "mine.auth.example:80:80", ".auth.example", "id.example.com@evil.example",
            String(repeating: "a", count: 400),
        ] { #expect(try await found(host) == nil, "\(host ?? "none")") }
        // A custom name is no prefix, nor a prefix a host.
        #expect(try await found("id.example.com.auth.example") == nil)
        _ = try await bench.done("DeleteUserPoolDomain", ["UserPoolId": .string(pool), "Domain": "mine"])
        #expect(try await found("mine.auth.example") == nil)
    }

    @Test("R11.6 with a pool go its domains, and their names are free")
    func poolDeleted() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool()
        _ = try await bench.done("CreateUserPoolDomain", ["UserPoolId": .string(pool), "Domain": "mine"])
        _ = try await bench.done("DeleteUserPool", ["UserPoolId": .string(pool)])
        #expect(try await bench.dialect.directory(ofHost: "mine.auth.example", at: bench.now) == nil)
        #expect(try await bench.done("DescribeUserPoolDomain", ["Domain": "mine"]) == ["DomainDescription": [:]])
        _ = try await bench.done("CreateUserPoolDomain", ["UserPoolId": .string(bench.poolID), "Domain": "mine"])
    }
}
