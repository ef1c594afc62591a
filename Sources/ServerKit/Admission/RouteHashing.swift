// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes

/// Whether an operation has a password hashed for whoever calls it. It stands in the dialect's table beside the
/// operation, and while as many hashes are under way as may be, calls that would have one more are refused before
/// anything else happens to them (``HashingGate``).
public enum RouteHashing: Sendable, Hashable {
    case never
    case always
    /// Where the query or the body says so.
    case when(RouteCondition)
}

/// An operation that has passwords hashed, as requests for it look.
public struct HashingRoute: Sendable {
    var method: HTTPRequest.Method
    /// Without parameters, but for the Directory that paths of all dialects begin with: `/directories/{directory}`.
    var path: String
    /// The field by which the operation is named where others have the same path.
    var target: (name: HTTPField.Name, value: String)?
    /// `nil` where each call hashes.
    var condition: RouteCondition?
    var renderer: any RefusalRenderer

    /// `nil` for an operation that hashes nothing.
    public init?(
        _ method: HTTPRequest.Method, _ path: String, target: (name: HTTPField.Name, value: String)? = nil,
        _ hashing: RouteHashing, _ renderer: any RefusalRenderer
    ) {
        switch hashing {
        case .never: return nil
        case .always: condition = nil
        case .when(let condition): self.condition = condition
        }
        self.method = method
        self.path = path
        self.target = target
        self.renderer = renderer
    }

    /// Whether the condition holds, as far as the request's first line says; `nil` where its body decides.
    func hashes(_ request: HTTPRequest) -> Bool? {
        guard let condition else { return true }
        return RequestGlance(request, body: nil).judge(condition)
    }

    /// Whether the condition holds.
    func hashes(_ request: HTTPRequest, body: [UInt8]) -> Bool {
        guard let condition else { return true }
        return RequestGlance(request, body: body).judge(condition) ?? true
    }
}
