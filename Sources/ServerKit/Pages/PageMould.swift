// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird

/// A page that was made once, for many calls that differ in one place of it, such as their form's token.
public struct PageMould: Sendable {
    private let headers: HTTPFields
    private let before: ByteBuffer
    private let after: ByteBuffer

    /// - Parameter hole: what stands in the place where pages differ.
    /// - Returns: `nil` unless it stands there once.
    init?(_ page: String, around hole: String, headers: HTTPFields) {
        guard !hole.isEmpty, let place = page.firstRange(of: hole),
            page[place.upperBound...].firstRange(of: hole) == nil
        else { return nil }
        self.headers = headers
        before = ByteBuffer(substring: page[..<place.lowerBound])
        after = ByteBuffer(substring: page[place.upperBound...])
    }

    /// The page with a text in that place, as it is: one that HTML has no use for.
    public func response(with text: String) -> Response {
        var page = ByteBufferAllocator().buffer(
            capacity: before.readableBytes + text.utf8.count + after.readableBytes)
        page.writeImmutableBuffer(before)
        page.writeString(text)
        page.writeImmutableBuffer(after)
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: page))
    }
}
