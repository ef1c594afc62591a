// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

/// github.com/nst/JSONTestSuite: `y_` must be read, `n_` must be refused, `i_` is for the reader to decide.
@Suite struct JSONTestSuiteTests {
    /// RFC 8259, section 4, wants names to be unique and leaves open what happens if not. Refused here.
    static let duplicates: Set<String> = ["y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"]

    /// The `i_` cases that are read: numbers that a `Double` holds, if not exactly. All others are refused.
    static let readOfOpenCases: Set<String> = [
        "i_number_double_huge_neg_exp.json", "i_number_real_underflow.json", "i_number_too_big_neg_int.json",
        "i_number_too_big_pos_int.json", "i_number_very_big_negative_int.json",
    ]

    static func cases(_ prefix: String) throws -> [String] {
        try VectorFiles.names(in: "JSONTestSuite/test_parsing").filter { $0.hasPrefix(prefix) }
    }

    static func outcome(_ name: String, in folder: String = "test_parsing") throws -> Result<JSONValue, JSONError> {
        let bytes = try VectorFiles.contents("JSONTestSuite/\(folder)/\(name)")
        return Result { () throws(JSONError) in try JSONValue(parsing: bytes) }
    }

    @Test("Every valid text is read, and reads the same after writing")
    func valid() throws {
        let names = try Self.cases("y_")
        #expect(names.count == 95)
        for name in names {
            switch try Self.outcome(name) {
            case .success(let value):
                #expect(!Self.duplicates.contains(name))
                #expect(try JSONValue(parsing: value.serialized()) == value, "\(name)")
            case .failure(let error):
                #expect(Self.duplicates.contains(name) && error.code == .duplicateName, "\(name): \(error)")
            }
        }
    }

    @Test("Every invalid text is refused")
    func invalid() throws {
        let names = try Self.cases("n_")
        #expect(names.count == 186)
        for name in names {
            #expect(throws: JSONError.self, "\(name)") { try Self.outcome(name).get() }
        }
    }

    @Test("Every case that the standard leaves open ends as documented")
    func open() throws {
        let names = try Self.cases("i_")
        #expect(names.count == 35)
        for name in names {
            let outcome = try Self.outcome(name)
            #expect(((try? outcome.get()) != nil) == Self.readOfOpenCases.contains(name), "\(name): \(outcome)")
        }
    }

    @Test("Texts that readers turn into different values: one reading, or none")
    func transform() throws {
        func value(_ name: String) throws -> JSONValue { try Self.outcome(name, in: "test_transform").get() }
        #expect(try value("number_9223372036854775807.json") == [.integer(.max)])
        #expect(try value("number_-9223372036854775808.json") == [.integer(.min)])
        #expect(try value("number_9223372036854775808.json") == [.number(9_223_372_036_854_775_808)])
        #expect(try value("number_-9223372036854775809.json") == [.number(-9_223_372_036_854_775_808)])
        #expect(try value("number_1.0.json") == [.number(1)])
        #expect(try value("number_1e-999.json") == [.number(0)])
        #expect(try value("string_with_escaped_NULL.json") == ["A\0B"])
        for name in try VectorFiles.names(in: "JSONTestSuite/test_transform") where name.contains("codepoint") {
            #expect(throws: JSONError.self, "\(name)") { try value(name) }
        }
        for name in [
            "object_same_key_same_value.json", "object_same_key_different_values.json",
            "object_same_key_unclear_values.json", "object_key_nfc_nfd.json", "object_key_nfd_nfc.json",
        ] {
            guard case .failure(let error) = try Self.outcome(name, in: "test_transform") else {
                Issue.record("\(name) was read")
                continue
            }
            #expect(error.code == .duplicateName)
        }
    }

    @Test(
        "A text of 100,000 levels is refused without filling the stack",
        arguments: ["[", "{\"\":", "[{\"\":"])
    func deep(opening: String) {
        let bytes = Array(String(repeating: opening, count: 100_000).utf8)
        for limits in [JSONLimits.default, JSONLimits(depth: .max)] {
            guard case .failure(let error) = outcome(bytes, limits) else {
                Issue.record("was read")
                return
            }
            #expect(error.code == .tooDeep)
        }
    }

    private func outcome(_ bytes: [UInt8], _ limits: JSONLimits) -> Result<JSONValue, JSONError> {
        Result { () throws(JSONError) in try JSONValue(parsing: bytes, limits: limits) }
    }
}
