// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes

extension HTTPBench {
    /// As browsers write a form (`application/x-www-form-urlencoded`), or a query.
    public static func encoded(_ form: [(String, String)]) -> String {
        form.map { PercentEncoding.encode($0.0.utf8) + "=" + PercentEncoding.encode($0.1.utf8) }
            .joined(separator: "&")
    }

    public func post(
        _ path: String, _ form: [(String, String)], headers further: HTTPFields = [:]
    ) async throws -> Reply {
        var headers = further
        headers[.contentType] = "application/x-www-form-urlencoded"
        return try await send(.post, path, headers: headers, body: Array(Self.encoded(form).utf8))
    }
}
