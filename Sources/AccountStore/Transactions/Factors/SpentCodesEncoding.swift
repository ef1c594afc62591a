// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// How it is kept what was shown of an app: the number of time steps in one octet, and each in eight; then of each
/// answer until when it stands (microseconds) in eight, how long the challenge's identifier is in one, and that.
/// Numbers are big-endian.
enum SpentCodesEncoding {
    static func bytes(_ codes: SpentCodes) -> [UInt8] {
        var bytes = [UInt8(truncatingIfNeeded: codes.steps.count)]
        for step in codes.steps { bytes += octets(step) }
        for answer in codes.answers {
            let name = answer.challenge.rawValue.utf8.prefix(Int(UInt8.max))
            bytes += octets(answer.end.microseconds) + [UInt8(truncatingIfNeeded: name.count)] + name
        }
        return bytes
    }

    private static func octets(_ number: Int64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    /// - Throws: `StoredRowError` for what ``bytes(_:)`` did not write.
    static func codes(_ bytes: [UInt8], column: Int) throws(StoredRowError) -> SpentCodes {
        var rest = bytes[...]
        func take(_ count: Int) throws(StoredRowError) -> ArraySlice<UInt8> {
            guard rest.count >= count else { throw StoredRowError(column: column) }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        func number() throws(StoredRowError) -> Int64 { try take(8).reduce(0) { $0 << 8 | Int64($1) } }
        func octet() throws(StoredRowError) -> Int { try take(1).reduce(0) { $0 + Int($1) } }

        var steps: [Int64] = []
        for _ in 0..<(try octet()) { steps.append(try number()) }
        var answers: [SpentCodes.Answer] = []
        while !rest.isEmpty {
            let end = Instant(microseconds: try number())
            let name = String(decoding: try take(octet()), as: UTF8.self)
            answers.append(SpentCodes.Answer(to: FactorChallengeID(name), until: end))
        }
        return SpentCodes(steps, answers: answers)
    }
}
