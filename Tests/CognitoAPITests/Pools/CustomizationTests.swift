// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import ServerKit
import Testing

@testable import CognitoAPI

@Suite("How a pool's pages look") struct CustomizationTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]
    private static let css = """
        /* the brand's */
        .submitButton-customizable { font-size: 14px; background-color: #0a5; color: #ffffff; }
        .submitButton-customizable:hover, .label-customizable { background-color: red }
        .background-customizable { background-color: rgb(240, 244, 250) }
        """

    private func bench() async throws -> (CognitoBench, pool: String) {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool()
        _ = try await bench.done("CreateUserPoolDomain", ["UserPoolId": .string(pool), "Domain": "mine"])
        return (bench, pool)
    }

    @Test("R11.6 R11.4 a sheet is kept and shown, and logo and readable colours of it are those of the pages")
    func life() async throws {
        let (bench, pool) = try await bench()
        let named: JSONObject = ["UserPoolId": .string(pool)]
        #expect(try await bench.done("GetUICustomization", named) == ["UICustomization": [:]])
        let image = Base64.encode(Self.png)
        let dark = ".submitButton-customizable{background:#024}.background-customizable{background:#fff}"
        let set = try await bench.done(
            "SetUICustomization",
            named.merging(["ClientId": "ALL", "CSS": .string(dark), "ImageFile": .string(image)]))
        let shown = try #require(set["UICustomization"]?.objectValue)
        #expect(shown["CSS"] == .string(dark) && shown["ClientId"] == "ALL" && shown["UserPoolId"] == .string(pool))
        #expect(shown["ImageUrl"] == .string("data:image/png;base64," + image))
        #expect(shown["CSSVersion"]?.stringValue?.isEmpty == false && shown["CreationDate"] != nil)
        #expect(try await bench.done("GetUICustomization", named) == set)
        var brand = PageBrand(try await bench.directory(ofPool: pool).settings)
        #expect(brand.light.accent.description == "#002244" && brand.light.background.description == "#ffffff")
        #expect(brand.logo == "data:image/png;base64," + image)
        // A change of the pool leaves it; the next call replaces sheet and image together.
        _ = try await bench.done("UpdateUserPool", named.merging(["AutoVerifiedAttributes": ["email"]]))
        #expect(try await bench.done("GetUICustomization", named) == set)
        _ = try await bench.done("SetUICustomization", named.merging(["CSS": .string(Self.css)]))
        brand = PageBrand(try await bench.directory(ofPool: pool).settings)
        #expect(brand.logo == nil && brand.light.background.description == "#f0f4fa")
        // White on this green could not be read, so that it is shown again and not used.
        #expect(brand.light.accent == PagePalette.light.accent)
        let client = try await bench.clientID(pool: pool)
        let ofClient = try await bench.done("GetUICustomization", named.merging(["ClientId": .string(client)]))
        #expect(ofClient["UICustomization"]?.objectValue?["CSS"] == .string(Self.css))
        // Nothing given takes all of it away, as tools do when they are done.
        #expect(try await bench.done("SetUICustomization", named) == ["UICustomization": [:]])
        #expect(try await bench.done("GetUICustomization", named) == ["UICustomization": [:]])
        #expect(try await bench.directory(ofPool: pool).settings.pages == DirectorySettings.Pages())
    }

    @Test("R11.6 what is no such sheet or image is refused, and nothing is changed")
    func refused() async throws {
        let (bench, pool) = try await bench()
        let named: JSONObject = ["UserPoolId": .string(pool)]
        let client = try await bench.clientID(pool: pool)
        let other = try await bench.clientID(pool: try await bench.makePool())
        let rule = ".label-customizable { color: red }"
        let large = JSONValue.string(Base64.encode(Self.png + [UInt8](repeating: 0, count: LogoImage.largest)))
        let cases: [(JSONObject, String)] = [
            (["CSS": "body { color: red }"], "class that can't be customized: body"),
            (["CSS": ".label-customizable:before { color: red }"], "class that can't be customized"),
            (["CSS": ".label-customizable .x { color: red }"], "class that can't be customized"),
            (["CSS": "@import url(https://evil.example/);"], "at-rules"),
            (["CSS": .string(rule + "</style><script>")], "HTML"),
            (["CSS": ".label-customizable { color: JavaScript:1 }"], "Javascript"),
            (["CSS": ".label-customizable { color: red"], "not a list of rules"),
            (["CSS": ".label-customizable { color }"], "not a list of rules"),
            (["CSS": ".a { .b { } }"], "CSS"), (["CSS": "/* x"], "comment without an end"),
            (["CSS": .string(String(repeating: rule, count: 150))], "at most 4096 bytes"),
            (["CSS": 7], "SerializationException"), (["ImageFile": "%%%"], "not a file in Base64"),
            (["ImageFile": .string(Base64.encode(Array("<svg/>".utf8)))], "PNG, JPG or JPEG"),
            (["ImageFile": large], "at most \(LogoImage.largest) bytes"),
            (["ImageFile": .string(String(repeating: "A", count: 262_145))], "length less than or equal to"),
            (["ClientId": .string(client), "CSS": .string(rule)], "ClientId other than ALL is not supported"),
            (["ClientId": .string(other), "CSS": .string(rule)], "ResourceNotFoundException: User pool client"),
            (["ClientId": "a-b", "CSS": .string(rule)], "InvalidParameterException"),
        ]
        for (members, said) in cases {
            let reply = try await bench.send("SetUICustomization", named.merging(members))
            #expect(reply.status == 400 && reply.refusal.contains(said), "\(members.text.prefix(90)): \(reply.refusal)")
        }
        #expect(try await bench.done("GetUICustomization", named) == ["UICustomization": [:]])
        let bare: JSONObject = ["UserPoolId": .string(try await bench.makePool())]
        for operation in ["GetUICustomization", "SetUICustomization"] {
            let reply = try await bench.send(operation, bare.merging(["CSS": .string(rule)]))
            #expect(
                reply.refusal
                    == "InvalidParameterException: There has to be an existing domain associated with this user pool")
            #expect(try await bench.send(operation, [:]).refusal.contains("Value null at 'userPoolId'"))
        }
    }
}
