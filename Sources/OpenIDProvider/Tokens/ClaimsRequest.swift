// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import ServerKit

/// The `claims` parameter of an authorization request (OpenID Connect Core, section 5.5). What it asks for that nobody
/// knows here is passed over; that it is of its form is demanded.
struct ClaimsRequest: Sendable {
    enum Place: String, CaseIterable {
        case userInfo = "userinfo"
        case idToken = "id_token"
    }

    private static let limits = JSONLimits(depth: 8, members: 100, bytes: 4096)

    let object: JSONObject

    init(_ object: JSONObject) { self.object = object }

    /// - Throws: `invalid_request`.
    init(parsing text: String) throws(OAuthError) {
        guard let object = try? JSONObject(parsing: text.utf8, limits: Self.limits) else {
            throw .invalidRequest("claims is not a JSON object, or too large")
        }
        for place in Place.allCases {
            switch object[place.rawValue] {
            case nil, .null: continue
            case .object(let members):
                guard members.members.allSatisfy({ Self.isRequest($0.value) }) else {
                    throw .invalidRequest("claims has a member of another form than null or an object")
                }
            default: throw .invalidRequest("claims has a \(place.rawValue) that is not an object")
            }
        }
        self.object = object
    }

    /// The names that are asked for in one place.
    func names(in place: Place) -> [String] { object[place.rawValue]?.objectValue?.names ?? [] }

    /// The subject that alone an ID token may be about (section 5.5.1); `nil` where any will do.
    ///
    /// - Throws: `invalid_request` for what names none, or a choice of several: one user is signed in, and not one of a
    ///   list.
    func subject() throws(OAuthError) -> String? {
        guard let request = object[Place.idToken.rawValue]?.objectValue?["sub"]?.objectValue else { return nil }
        let wanted = (request["value"].map { [$0] } ?? []) + (request["values"]?.arrayValue ?? [])
        guard let first = wanted.first else { return nil }
        guard let subject = first.stringValue, !subject.isEmpty, wanted.allSatisfy({ $0 == first }) else {
            throw .invalidRequest("claims names no subject, or more than one")
        }
        return subject
    }

    private static func isRequest(_ value: JSONValue) -> Bool {
        switch value {
        case .null: true
        case .object(let members):
            (members["essential"].map { $0.boolValue != nil } ?? true)
                && (members["values"].map { $0.arrayValue != nil } ?? true)
        default: false
        }
    }
}
