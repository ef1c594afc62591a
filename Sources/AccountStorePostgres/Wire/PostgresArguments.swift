// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AuthTypes
import CPostgres

/// A statement's arguments as they go over the wire. Numbers go as text, which the server reads as whatever whole
/// number it takes there; texts and bytes as they are.
struct PostgresArguments {
    private var bytes: [UInt8] = []
    /// Where each begins; `nil` for none.
    private var places: [Int?] = []
    private var lengths: [CInt] = []
    private var formats: [CInt] = []

    init() {}

    /// - Throws: ``AuthErrorCode/invalidRequest`` for a text with a NUL character, which the server has no form for.
    init(_ arguments: [SQLValue]) throws(AuthError) {
        for argument in arguments {
            let start = bytes.count
            var isBinary = true
            switch argument {
            case .null: break
            case .integer(let number):
                bytes += Array(String(number).utf8)
                isBinary = false
            case .text(let text):
                let utf8 = Array(text.utf8)
                guard !utf8.contains(0) else {
                    throw AuthError(.invalidRequest, reason: "database: a text with a NUL character")
                }
                bytes += utf8
            case .blob(let blob): bytes += blob
            }
            places.append(argument == .null ? nil : start)
            lengths.append(CInt(clamping: bytes.count - start))
            formats.append(isBinary ? 1 : 0)
            // Where a number's text ends.
            bytes.append(0)
        }
    }

    /// - Returns: as libpq: 1 for what was taken.
    func send(on connection: OpaquePointer, to name: String) -> CInt {
        bytes.withUnsafeBufferPointer { buffer in
            let values = places.map { place -> UnsafePointer<CChar>? in
                guard let place, let base = buffer.baseAddress else { return nil }
                return UnsafeRawPointer(base + place).assumingMemoryBound(to: CChar.self)
            }
            return PQsendQueryPrepared(connection, name, CInt(clamping: places.count), values, lengths, formats, 1)
        }
    }
}
