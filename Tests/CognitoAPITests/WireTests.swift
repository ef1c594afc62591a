// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Passwords
import Testing

@testable import CognitoAPI

@Suite("Wire") struct WireTests {
    private static let directory = Directory(
        id: DirectoryID("0192f3a0-0000-7000-8000-00000000abcd"), name: "default", settings: DirectorySettings(),
        tokenKey: Secret([UInt8](repeating: 7, count: 32)), createdAt: Instant(seconds: 0),
        updatedAt: Instant(seconds: 0))

    @Test(
        "Destinations are masked as the service masks them",
        arguments: [("test@test.com", "t***@t***"), ("a@b.example", "a***@b***")])
    func addresses(text: String, masked: String) throws {
        #expect(CodeDelivery(try EmailAddress(text)).destination == masked)
    }

    @Test("Numbers keep their last four digits")
    func numbers() throws {
        let delivery = CodeDelivery(try PhoneNumber("+12065559934"))
        #expect(delivery.destination == "+*******9934")
        #expect(delivery.json["DeliveryMedium"] == "SMS")
        #expect(delivery.json["AttributeName"] == "phone_number")
    }

    @Test("R8.10 of a name nothing is said but the Directory's medium")
    func named() throws {
        var directory = Self.directory
        let names: [SignInIdentifier] = [
            .username(try Username("nobody")), .user(UserID("a")), .username(try Username("ada")),
        ]
        #expect(Set(names.map { CodeDelivery(named: $0, in: directory).destination }) == ["***@***"])
        directory.settings.signUp.emailEnabled = false
        let texts = names.map { CodeDelivery(named: $0, in: directory) }
        #expect(texts.allSatisfy { $0.medium == .textMessage && $0.destination == "+***" })
        let own = CodeDelivery(named: .email(try EmailAddress("a@b.example")), in: directory)
        #expect(own.destination == "a***@b***" && own.medium == .mail)
    }

    @Test("Times are seconds since 1970, a fraction only where there is one")
    func dates() {
        #expect(Instant(seconds: 1_780_000_000).wireDate == .integer(1_780_000_000))
        #expect(Instant(microseconds: 1_780_000_000_250_999).wireDate == .number(1_780_000_000.25))
    }

    @Test("What breaks the model's constraint is said as the service says it")
    func validation() throws {
        let input = Input([
            "UserPoolId": "bad", "GroupName": "", "Limit": 61, "Username": "a b", "AttributeName": .null,
        ])
        let prefix = "1 validation error detected: Value "
        func message(_ body: () throws -> Void) -> String? {
            do { try body() } catch let error as WireError {
                return error.exception == "InvalidParameterException" ? error.message : error.exception
            } catch { return "\(error)" }
            return nil
        }
        #expect(
            message { _ = try input.required(.userPoolID) }
                == prefix + "'bad' at 'userPoolId' failed to satisfy constraint: "
                + "Member must satisfy regular expression pattern: [\\w-]+_[0-9a-zA-Z]+")
        #expect(
            message { _ = try input.required(.groupName) }
                == prefix + "'' at 'groupName' failed to satisfy constraint: "
                + "Member must have length greater than or equal to 1")
        #expect(
            message { _ = try input.integer("Limit", in: 0...60) }
                == prefix
                + "'61' at 'limit' failed to satisfy constraint: Member must have value less than or equal to 60")
        #expect(
            message { _ = try input.required(.attributeName) }
                == prefix + "null at 'attributeName' failed to satisfy constraint: Member must not be null")
        // What a person typed is not repeated.
        #expect(message { _ = try input.required(.username) }?.contains("a b") == false)
    }

    @Test("A member of another type is no valid request of this protocol")
    func types() {
        let input = Input(["Username": 7, "Permanent": "yes", "UserAttributes": "x", "Limit": 1.5, "Policies": []])
        let kind = WireError("SerializationException", "")
        func exception(_ body: () throws -> Void) -> String? {
            do { try body() } catch { return (error as? WireError)?.exception }
            return nil
        }
        #expect(exception { _ = try input.text(.username) } == kind.exception)
        #expect(exception { _ = try input.flag("Permanent") } == kind.exception)
        #expect(exception { _ = try input.list("UserAttributes") } == kind.exception)
        #expect(exception { _ = try input.integer("Limit", in: 0...60) } == kind.exception)
        #expect(exception { _ = try input.members("Policies") } == kind.exception)
    }

    @Test(
        "Filters of users are read by the service's grammar",
        arguments: [
            (#"email = "ada@example.com""#, UserFilter.email(.exact("ada@example.com"))),
            (#"email ^= "ada""#, .email(.prefix("ada"))),
            (#"username="ada""#, .called(.exact("ada"), in: CognitoDialect.name)),
            (
                #"given_name = "A\"d\\a""#,
                .attribute("given_name", of: CognitoDialect.name, orShared: nil, .exact(#"A"d\a"#))
            ),
            (#"name ^= "A""#, .attribute("name", of: CognitoDialect.name, orShared: .name, .prefix("A"))),
            (#"phone_number ^= "+49""#, .phone(.prefix("+49"))), (#"status = "Disabled""#, .enabled(false)),
            (#"cognito:user_status = "CONFIRMED""#, .standing([.confirmed])),
            (#"cognito:user_status = "unconfirmed""#, .standing([.unconfirmed])),
            (#"cognito:user_status="FORCE_CHANGE_PASSWORD""#, .standing([.temporaryPassword])),
            (#"cognito:user_status ^= "CONF""#, .standing([.confirmed])),
            (#"cognito:user_status = "RESET_REQUIRED""#, .standing([])),
            (#"status ^= "dis""#, .enabled(false)), (#"status = "Gone""#, .standing([])),
            (#"sub = "x""#, .identifier(.exact("x"), in: CognitoDialect.name)),
            (#"sub ^= "x""#, .identifier(.prefix("x"), in: CognitoDialect.name)),
        ])
    func filters(text: String, filter: UserFilter) throws {
        #expect(try UserFilterText(text, of: PoolSettings()).filter == filter)
    }

    @Test(
        "What is no filter is refused",
        arguments: [
            "email", "email =", #"email = ada"#, #"email = "ada"#, #"email ^ "ada""#, #"email = "a" b"#,
            #"email != "a""#, #"custom:plan = "x""#, #"= "x""#, #"email = "a" and name = "b""#,
        ])
    func badFilters(text: String) {
        #expect(throws: WireError.self) { try UserFilterText(text, of: PoolSettings()) }
    }

    @Test("No filter is everybody")
    func noFilter() throws {
        #expect(try UserFilterText("", of: PoolSettings()).filter == nil)
        #expect(try UserFilterText("  ", of: PoolSettings()).filter == nil)
        #expect(try UserFilterText(#"status ^= "" "#, of: PoolSettings()).filter == nil)
    }

    @Test(
        "V6.4.1 a temporary password meets the strictest policy, and no two are alike",
        arguments: [8, 14, 40])
    func temporaryPasswords(minimum: Int) {
        var settings = DirectorySettings()
        settings.password.minimumLength = minimum
        settings.password.requiredCharacters = [
            PasswordPolicy.lowercaseLetters, PasswordPolicy.uppercaseLetters, PasswordPolicy.digits,
            PasswordPolicy.symbols, "äöü",
        ]
        let policy = PasswordPolicy(
            minimumLength: minimum, requiredCharacters: settings.password.requiredCharacters)
        var seen: Set<String> = []
        for _ in 0..<200 {
            let made = TemporaryPasswordText.make(for: settings, random: SystemRandomSource())
            #expect(policy.violations(of: made).isEmpty)
            #expect(!made.reveal().contains { "0O1lI|".contains($0) })
            seen.insert(made.reveal())
        }
        #expect(seen.count == 200)
    }
}
