// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// What the service's API said in place of a result: the name of an exception and a text.
struct ServiceError: Sendable, Hashable {
    /// Without a namespace: `NotAuthorizedException`.
    let type: String
    let message: String

    init(type: String, message: String) {
        self.type = type
        self.message = message
    }

    /// - Returns: `nil` for an answer that names none, which is nobody's of the service.
    init?(reading response: HTTPResponse, _ members: JSONObject?) {
        let named = [
            response.header("x-amzn-errortype"), members?["__type"]?.stringValue, members?["code"]?.stringValue,
            members?["Code"]?.stringValue,
        ]
        guard let type = named.lazy.compactMap({ $0.flatMap(Self.name) }).first else { return nil }
        self.type = type
        message =
            members?["message"]?.stringValue ?? members?["Message"]?.stringValue
            ?? response.header("x-amzn-errormessage") ?? ""
    }

    /// `com.amazonaws.x#Name:http://…` in all its shapes.
    private static func name(_ text: String) -> String? {
        let behind = text.split(separator: "#", omittingEmptySubsequences: false).last ?? ""
        let name = behind.prefix { $0 != ":" && $0 != "," }.filter { $0 != " " }
        guard (1...100).contains(name.utf8.count), name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        return name
    }
}
