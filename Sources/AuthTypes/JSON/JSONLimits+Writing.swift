// SPDX-License-Identifier: Apache-2.0

extension JSONObject {
    /// ``serialized()`` of an object that a reader with these limits reads again, as the same: whoever writes by the
    /// limits of whoever reads writes nothing that can't be read.
    ///
    /// - Throws: ``JSONError`` with ``JSONError/Code/tooDeep``, ``JSONError/Code/tooLarge``, or
    ///   ``JSONError/Code/malformed`` for a number that JSON can't say.
    public func serialized(within limits: JSONLimits) throws(JSONError) -> [UInt8] {
        try limits.check(.object(self), depth: 0)
        let text = serialized()
        guard text.count <= limits.bytes else { throw JSONError(.tooLarge, at: limits.bytes) }
        return text
    }
}

extension JSONLimits {
    /// - Parameter depth: of what the value is in.
    fileprivate func check(_ value: JSONValue, depth: Int) throws(JSONError) {
        switch value {
        case .null, .bool, .integer, .string: return
        case .number(let number):
            guard number.isFinite else { throw JSONError(.malformed, at: 0) }
        case .array(let elements):
            try check(count: elements.count, depth: depth + 1)
            for element in elements { try check(element, depth: depth + 1) }
        case .object(let object):
            try check(count: object.count, depth: depth + 1)
            for member in object.members { try check(member.value, depth: depth + 1) }
        }
    }

    private func check(count: Int, depth: Int) throws(JSONError) {
        guard depth <= self.depth else { throw JSONError(.tooDeep, at: 0) }
        guard count <= members else { throw JSONError(.tooLarge, at: 0) }
    }
}
