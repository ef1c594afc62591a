// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import SRP

/// The devices that a user's clients keep a secret for: confirmed, listed, remembered and forgotten by the user, and
/// but for the first by an administrator.
enum DeviceEndpoints {
    private static let name = Member("DeviceName", 1...RememberedDevice.mostOfName)
    private static let status = Member("DeviceRememberedStatus", oneOf: ["remembered", "not_remembered"])

    /// `ConfirmDevice`, by the session that the device was given to.
    static func confirm(_ call: DialectCall) async throws -> JSONObject {
        try DeviceChallenges.requireTracked(call)
        let key = try call.input.required(DeviceKey.member)
        let verifier = try verifier(call.input)
        let name = try call.input.text(name)
        do {
            let device = try await call.accounts.userDevices.confirm(
                DeviceKey.id(key), verifier, named: name, of: try call.user(), call: call.flow)
            return ["UserConfirmationNecessary": .bool(!device.isRemembered)]
        } catch let error as AuthError {
            throw refusal(error)
        }
    }

    private static func refusal(_ error: AuthError) -> any Error {
        switch error.code {
        case .deviceNotFound: WireError.parameter("Invalid device key given.")
        case .conflict: WireError("DeviceKeyExistsException", "Device key already exists.")
        case .invalidRequest where error.field == "salt" || error.field == "verifier":
            WireError.parameter("Invalid DeviceSecretVerifierConfig given.")
        default: error
        }
    }

    /// Both are numbers as signed octets: a zero before the first bit is none of theirs.
    private static func verifier(_ input: Input) throws(WireError) -> SRPVerifier {
        guard let config = try input.members("DeviceSecretVerifierConfig").map({ Input($0) }) else {
            throw .parameter("Missing required parameter DeviceSecretVerifierConfig")
        }
        func number(_ name: String) throws(WireError) -> [UInt8] {
            let text = try config.required(Member(name, 0...131_072, sensitive: true))
            guard text.utf8.count <= 2 * SRPGroup.byteCount, let octets = Base64.decode(text) else {
                throw .parameter("Invalid DeviceSecretVerifierConfig given.")
            }
            return Array(octets.drop { $0 == 0 })
        }
        return SRPVerifier(salt: try number("Salt"), verifier: Secret(try number("PasswordVerifier")))
    }

    /// `GetDevice`, `AdminGetDevice`
    static func get(_ call: DialectCall) async throws -> JSONObject {
        let (key, owner) = try await named(call)
        let device = try await call.accounts.userDevices.get(key, of: owner, call: call.flow)
        return ["Device": .object(encode(device, call))]
    }

    /// `ListDevices`, `AdminListDevices`
    static func list(_ call: DialectCall) async throws -> JSONObject {
        try DeviceChallenges.requireTracked(call)
        let page = try Page(
            call.input, of: ["devices", call.directory.id.rawValue, try ownerName(call)], limit: "Limit",
            token: .paginationToken)
        let devices = try await call.accounts.userDevices.list(of: try await owner(call), call: call.flow)
        let (shown, next) = page.cut(devices) { $0.id.rawValue }
        var json: JSONObject = ["Devices": .array(shown.map { .object(encode($0, call)) })]
        json["PaginationToken"] = next
        return json
    }

    /// `UpdateDeviceStatus`, `AdminUpdateDeviceStatus`
    static func update(_ call: DialectCall) async throws -> JSONObject {
        let (key, owner) = try await named(call)
        // The model does not require it, and without it there is nothing to do.
        let isRemembered = try call.input.required(status) == "remembered"
        try await call.accounts.userDevices.remember(key, isRemembered, of: owner, call: call.flow)
        return [:]
    }

    /// `ForgetDevice`, `AdminForgetDevice`
    static func forget(_ call: DialectCall) async throws -> JSONObject {
        let (key, owner) = try await named(call)
        try await call.accounts.userDevices.forget(key, of: owner, call: call.flow)
        return [:]
    }

    private static func named(_ call: DialectCall) async throws -> (RememberedDeviceID, UserDevices.Owner) {
        try DeviceChallenges.requireTracked(call)
        return (DeviceKey.id(try call.input.required(DeviceKey.member)), try await owner(call))
    }

    private static func owner(_ call: DialectCall) async throws -> UserDevices.Owner {
        if case .user(let user) = call.caller { return .caller(user) }
        return .user(try await call.namedUser().id)
    }

    /// What the call itself says of whose devices it is about.
    private static func ownerName(_ call: DialectCall) throws -> String {
        if case .user(let user) = call.caller { return user.user.id.rawValue }
        return try call.input.required(.username)
    }

    /// `DeviceType`
    private static func encode(_ device: RememberedDevice, _ call: DialectCall) -> JSONObject {
        var attributes = [("device_status", "valid")]
        if let name = device.name { attributes.append(("device_name", name)) }
        if let address = device.truncatedAddress { attributes.append(("last_ip_used", address)) }
        attributes.append(("dev:device_remembered_status", device.isRemembered ? "remembered" : "not_remembered"))
        return [
            "DeviceKey": .string(DeviceKey.text(of: device.id, region: call.dialect.region)),
            "DeviceAttributes": .array(attributes.map { ["Name": .string($0.0), "Value": .string($0.1)] }),
            "DeviceCreateDate": device.createdAt.wireDate, "DeviceLastModifiedDate": device.updatedAt.wireDate,
            "DeviceLastAuthenticatedDate": device.lastUsedAt.wireDate,
        ]
    }
}
