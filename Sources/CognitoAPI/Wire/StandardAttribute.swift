// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The attributes that every pool has: those of OpenID Connect Core 1.0, section 5.1, with the constraints that the
/// service gives them.
struct StandardAttribute: Sendable {
    enum Kind: String, Sendable {
        case string = "String"
        case boolean = "Boolean"
        case number = "Number"
    }

    let name: String
    let kind: Kind
    let isMutable: Bool
    let isRequired: Bool
    let length: ClosedRange<Int>

    private init(
        _ name: String, _ kind: Kind = .string, mutable: Bool = true, required: Bool = false,
        length: ClosedRange<Int> = 0...2048
    ) {
        self.name = name
        self.kind = kind
        isMutable = mutable
        isRequired = required
        self.length = length
    }

    /// In the order in which the service lists them.
    static let all: [StandardAttribute] = [
        StandardAttribute("profile"), StandardAttribute("address"),
        StandardAttribute("birthdate", length: 10...10), StandardAttribute("gender"),
        StandardAttribute("preferred_username"), StandardAttribute("updated_at", .number),
        StandardAttribute("website"), StandardAttribute("picture"),
        StandardAttribute("sub", mutable: false, required: true, length: 1...2048),
        StandardAttribute("phone_number"), StandardAttribute("phone_number_verified", .boolean),
        StandardAttribute("zoneinfo"), StandardAttribute("locale"), StandardAttribute("email"),
        StandardAttribute("email_verified", .boolean), StandardAttribute("given_name"),
        StandardAttribute("family_name"), StandardAttribute("middle_name"), StandardAttribute("name"),
        StandardAttribute("nickname"),
    ]

    static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

    /// Those that are kept in this dialect's place, under the same names; the domain has words for the others.
    static let kept: [String] = all.map(\.name).filter {
        !["sub", "email", "email_verified", "phone_number", "phone_number_verified"].contains($0)
    }

    /// An attribute of a `SchemaAttributes` list.
    var schema: JSONObject {
        var json: JSONObject = [
            "Name": .string(name), "AttributeDataType": .string(kind.rawValue), "DeveloperOnlyAttribute": false,
            "Mutable": .bool(isMutable), "Required": .bool(isRequired),
        ]
        switch kind {
        case .string:
            json["StringAttributeConstraints"] = [
                "MinLength": .string(String(length.lowerBound)), "MaxLength": .string(String(length.upperBound)),
            ]
        case .number: json["NumberAttributeConstraints"] = ["MinValue": "0"]
        case .boolean: break
        }
        return json
    }
}
