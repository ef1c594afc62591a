// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// An attribute of a pool's schema: a standard one, or one that the pool declares.
struct PoolAttribute: Sendable, Equatable {
    static let types = ["String", "Number", "DateTime", "Boolean"]

    /// With its prefix, `custom:` or `dev:custom:`, unless it is a standard one.
    var name: String
    var type: String
    var isMutable: Bool
    var isRequired: Bool
    var isDeveloperOnly: Bool
    /// Bounds on a string's length or a number's value, as the service writes them: in digits.
    var minimum: String?
    var maximum: String?

    init(_ standard: StandardAttribute) {
        name = standard.name
        type = standard.kind.rawValue
        isMutable = standard.isMutable
        isRequired = standard.isRequired
        isDeveloperOnly = false
        minimum = standard.kind == .boolean ? nil : String(standard.length.lowerBound)
        maximum = standard.kind == .string ? String(standard.length.upperBound) : nil
    }

    /// A custom attribute that nobody declared, as pools made by other dialects have them.
    init(undeclared name: String) {
        self.name = name
        type = "String"
        isMutable = true
        isRequired = false
        isDeveloperOnly = name.hasPrefix("dev:")
    }

    /// Reads an element of a `Schema` list.
    ///
    /// - Throws: `InvalidParameterException`.
    init(_ json: JSONObject) throws(WireError) {
        let input = Input(json)
        let given = try input.required(Member("Name", 1...20, .attributeName))
        isDeveloperOnly = try input.flag("DeveloperOnlyAttribute") ?? false
        isRequired = try input.flag("Required") ?? false
        let standard = StandardAttribute.byName[given]
        name = standard == nil ? (isDeveloperOnly ? "dev:custom:" : "custom:") + given : given
        type = try input.choice("AttributeDataType", from: Self.types) ?? standard?.kind.rawValue ?? "String"
        isMutable = try input.flag("Mutable") ?? standard?.isMutable ?? true
        let bounds = try input.members(type == "Number" ? "NumberAttributeConstraints" : "StringAttributeConstraints")
        let reading = Input(bounds ?? [:])
        minimum = try reading.text(Member(type == "Number" ? "MinValue" : "MinLength", 0...131_072))
        maximum = try reading.text(Member(type == "Number" ? "MaxValue" : "MaxLength", 0...131_072))
        for bound in [minimum, maximum] {
            if let bound, Int64(bound) == nil { throw .parameter("\(name): \(bound.prefix(32)) is not a number.") }
        }
        if standard != nil {
            if let wanted = standard?.kind.rawValue, wanted != type {
                throw .parameter(
                    "You can not change AttributeDataType or set developerOnlyAttribute for standard "
                        + "schema attribute \(given)")
            }
            if isDeveloperOnly {
                throw .parameter(
                    "You can not change AttributeDataType or set developerOnlyAttribute for standard "
                        + "schema attribute \(given)")
            }
            if minimum == nil, maximum == nil, let standard {
                let usual = PoolAttribute(standard)
                (minimum, maximum) = (usual.minimum, usual.maximum)
            }
        } else if isRequired {
            throw .parameter("Required custom attributes are not supported currently.")
        }
    }

    /// - Throws: `InvalidParameterException` when the value is not of the attribute's type or outside its bounds.
    func check(_ value: String) throws(WireError) {
        switch type {
        case "Number":
            guard let number = Int64(value) else { throw refusal("Input value is not a number") }
            if let least = minimum.flatMap({ Int64($0) }), number < least {
                throw refusal("Value must be at least \(least)")
            }
            if let most = maximum.flatMap({ Int64($0) }), number > most {
                throw refusal("Value must be at most \(most)")
            }
        case "Boolean":
            guard ["true", "false"].contains(value.lowercased()) else { throw refusal("Input value is not a boolean") }
        default:
            let length = value.unicodeScalars.count
            if let least = minimum.flatMap({ Int($0) }), length < least {
                throw refusal("String must be at least \(least) characters long")
            }
            if let most = maximum.flatMap({ Int($0) }), length > most {
                throw refusal("String must be no longer than \(most) characters")
            }
        }
    }

    private func refusal(_ rule: String) -> WireError {
        .parameter("Attributes did not conform to the schema: \(name): \(rule)")
    }

    /// An element of `SchemaAttributes`.
    var json: JSONObject {
        var json: JSONObject = [
            "Name": .string(name), "AttributeDataType": .string(type), "DeveloperOnlyAttribute": .bool(isDeveloperOnly),
            "Mutable": .bool(isMutable), "Required": .bool(isRequired),
        ]
        var bounds = JSONObject()
        switch type {
        case "String":
            bounds["MinLength"] = minimum.map { .string($0) }
            bounds["MaxLength"] = maximum.map { .string($0) }
            json["StringAttributeConstraints"] = .object(bounds)
        case "Number":
            bounds["MinValue"] = minimum.map { .string($0) }
            bounds["MaxValue"] = maximum.map { .string($0) }
            json["NumberAttributeConstraints"] = .object(bounds)
        default: break
        }
        return json
    }

    /// As kept in a Directory's settings: an element of `Schema`, read again by ``init(_:)``.
    var kept: JSONObject {
        var json = json
        json["Name"] = .string(String(name.split(separator: ":").last ?? ""))
        return json
    }
}
