// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Testing

@testable import CognitoAPI

@Suite("Operations") struct OperationTests {
    @Test("R10.4 every operation of the model is answered: by its handler, or as a feature that is not switched on")
    func total() async throws {
        let built = Operation.all.map(\.name)
        #expect(Set(built).count == built.count)
        let missing = Set(Operation.notBuilt.keys)
        #expect(missing.isDisjoint(with: built))
        #expect(missing.count + built.count >= 134)
        let bench = try await CognitoBench()
        for name in missing.sorted() {
            let reply = try await bench.send(name, [:])
            #expect(reply.status == 400)
            #expect(reply.exception == Operation.notBuilt[name]?.exception, "\(name)")
            #expect(reply.exception != "UnsupportedOperationException" && reply.message?.isEmpty == false, "\(name)")
        }
    }

    @Test(
        "R10.4 a member that no pool and no client has is refused by its name unless it is off",
        arguments: ["CreateUserPool", "UpdateUserPool", "CreateUserPoolClient", "UpdateUserPoolClient"])
    func members(operation: String) async throws {
        let bench = try await CognitoBench()
        let client = try await bench.clientID()
        for (value, taken) in [(JSONValue.bool(true), false), ("x", false), (.bool(false), true), (.null, true)] {
            var input: JSONObject = ["UserPoolId": .string(bench.poolID)]
            input[operation.hasSuffix("Pool") ? "PoolName" : "ClientName"] = "one"
            if operation == "UpdateUserPoolClient" { input["ClientId"] = .string(client) }
            input["PublishSecretsInAWSSecretsManager"] = value
            let reply = try await bench.send(operation, input)
            #expect((reply.status == 200) == taken, "\(operation) \(value): \(reply.message ?? "")")
            #expect(taken || reply.exception == "InvalidParameterException")
            #expect(taken || reply.message?.hasPrefix("PublishSecretsInAWSSecretsManager ") == true)
        }
    }

    @Test(
        "What the service does not know is an unknown operation",
        arguments: [
            "AWSCognitoIdentityProviderService.Nonsense", "AWSCognitoIdentityService.SignUp", "GetId", "SignUp", "",
        ])
    func unknown(target: String) async throws {
        let bench = try await CognitoBench()
        let reply = try await bench.send("", [:], target: target)
        #expect(reply.status == 400)
        #expect(reply.exception == "UnknownOperationException")
    }

    @Test("D-5 an error is the same in header and body, with the protocol's type and an identifier")
    func errors() async throws {
        let bench = try await CognitoBench()
        let reply = try await bench.send("SignUp", ["ClientId": "nöne"])
        #expect(reply.status == 400)
        #expect(reply.headers[.contentType] == "application/x-amz-json-1.1")
        #expect(reply.headers[.amazonErrorType] == "InvalidParameterException:")
        #expect(reply.headers[.amazonErrorMessage] == reply.message)
        #expect(reply.headers[.amazonRequestID]?.isEmpty == false)
        // What cannot stand in a header does not get there.
        let named = try await bench.send("DescribeUserPool", ["UserPoolId": "us-east-1_ü\r\nX: y"])
        #expect(named.exception == "InvalidParameterException")
        #expect(named.headers[.amazonErrorMessage]?.utf8.allSatisfy { (0x20...0x7E).contains($0) } == true)
    }

    @Test(
        "D-5 a body that is no JSON object is refused, whatever the operation", arguments: ["[]", "{", "x", "\"a\""])
    func bodies(text: String) async throws {
        let bench = try await CognitoBench()
        for operation in ["SignUp", "ListUserPools"] {
            let reply = try await bench.execute(
                .post, "/",
                headers: [
                    .amazonTarget: "AWSCognitoIdentityProviderService." + operation,
                    .authorization: CognitoBench.unchecked,
                ], body: Array(text.utf8))
            #expect(reply.status == 400)
            #expect(reply.exception == "SerializationException")
        }
    }

    @Test("V8.2.1 no administrative operation is open to a call without a signature")
    func unsigned() async throws {
        let bench = try await CognitoBench()
        for operation in Operation.all {
            switch operation.access {
            case .client, .user, .holder: continue
            case .pool, .server: break
            }
            let reply = try await bench.send(operation.name, ["UserPoolId": .string(bench.poolID)], signed: false)
            #expect(reply.status == 400)
            #expect(reply.exception == "MissingAuthenticationTokenException", "\(operation.name)")
        }
    }

    @Test("V8.2.1 outside development a made-up signature opens nothing")
    func forged() async throws {
        let bench = try await CognitoBench {
            $0.acceptsAnyAdministrator = false
            $0.accessKeys = ["testkey": Secret("a-secret-of-the-operator")]
        }
        for operation in Operation.all {
            switch operation.access {
            case .client, .user, .holder: continue
            case .pool, .server: break
            }
            let reply = try await bench.send(operation.name, ["UserPoolId": .string(bench.poolID)])
            #expect(reply.status == 400, "\(operation.name)")
            #expect(reply.exception != nil && reply.exception != "InvalidParameterException", "\(operation.name)")
            #expect(reply.json["UserPools"] == nil)
        }
    }

    @Test("The pool and the client of a call must be there")
    func missing() async throws {
        let bench = try await CognitoBench()
        let pool = "us-east-1_" + String(repeating: "0", count: 21) + "7"
        let reply = try await bench.send("ListUsers", ["UserPoolId": .string(pool)])
        #expect(reply.exception == "ResourceNotFoundException")
        #expect(reply.message == "User pool \(pool) does not exist.")
        let unknown = try await bench.send(
            "SignUp", ["ClientId": "abc", "Username": "ada", "Password": .string(CognitoBench.password)])
        #expect(unknown.exception == "ResourceNotFoundException")
        #expect(unknown.message == "User pool client abc does not exist.")
        let region = try await bench.send(
            "ListUsers", ["UserPoolId": .string("eu-west-1_" + bench.poolID.dropFirst(10))])
        #expect(region.exception == "ResourceNotFoundException")
    }

    @Test("A pool's identifier names its Directory, both ways, in the form of the model")
    func poolIDs() async throws {
        let bench = try await CognitoBench { $0.region = "eu-central-1" }
        #expect(bench.poolID.hasPrefix("eu-central-1_"))
        #expect(bench.poolID.utf8.count <= 55)
        #expect(bench.dialect.directoryID(ofPool: bench.poolID) == bench.directory.id)
        #expect(bench.dialect.directoryID(inIssuer: bench.dialect.issuer(of: bench.directory)) == bench.directory.id)
        try Member.userPoolID.check(bench.poolID)
        let aws = try await CognitoBench { $0.issuerStyle = .aws }
        #expect(
            aws.dialect.issuer(of: aws.directory)
                == "https://cognito-idp.us-east-1.amazonaws.com/" + aws.poolID)
        #expect(aws.dialect.directoryID(inIssuer: aws.dialect.issuer(of: aws.directory)) == aws.directory.id)
    }
}
