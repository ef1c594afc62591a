// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes
import CPostgres

/// What a statement was answered by; libpq's memory for it ends with this.
final class PostgresResult {
    private let result: OpaquePointer

    init(_ result: OpaquePointer) {
        self.result = result
    }

    deinit {
        PQclear(result)
    }

    var status: ExecStatusType { PQresultStatus(result) }
    var hasFailed: Bool {
        ![PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_PIPELINE_SYNC, PGRES_EMPTY_QUERY].contains(status)
    }
    var rowCount: Int { Int(PQntuples(result)) }

    /// Rows that the statement changed.
    var changed: Int {
        guard let text = PQcmdTuples(result) else { return 0 }
        return Int(String(cString: text)) ?? 0
    }

    /// As the server says it, such as `23505`.
    var sqlState: String? { field("C") }
    var schema: String? { field("s") }
    var table: String? { field("t") }
    var message: String? { field("M") }
    var detail: String? { field("D") }
    /// Where within a function an error came up; `nil` outside of any.
    var context: String? { field("W") }

    private func field(_ name: Character) -> String? {
        guard let code = name.asciiValue, let text = PQresultErrorField(result, CInt(code)) else { return nil }
        return String(cString: text)
    }

    /// The first row's values as they would be asked by; empty where there is none. What no question is asked by is
    /// left out as null.
    private(set) lazy var firstRow: [SQLValue] = {
        guard rowCount > 0 else { return [] }
        let row = row(0)
        return (0..<Int(PQnfields(result))).map { row.value($0) }
    }()

    /// As ``firstRow``; `nil` where there are several: which of them the server has taken for the first, asked within
    /// another query, is for it alone to know.
    var onlyRow: [SQLValue]? { rowCount > 1 ? nil : firstRow }

    func row(_ index: Int) -> Row { Row(result: self, index: CInt(index)) }

    /// A row, whose values come in PostgreSQL's binary form.
    struct Row: SQLRow {
        private enum Kind {
            static let bool: UInt32 = 16
            static let bytea: UInt32 = 17
            static let int8: UInt32 = 20
            static let int2: UInt32 = 21
            static let int4: UInt32 = 23
            static let text: UInt32 = 25
            static let numeric: UInt32 = 1700
        }

        fileprivate let result: PostgresResult
        fileprivate let index: CInt

        func isNull(_ index: Int) -> Bool { PQgetisnull(result.result, self.index, CInt(index)) == 1 }

        func integer(_ index: Int) throws -> Int64 {
            let bytes = try bytes(index, Kind.int8, Kind.int4, Kind.int2, Kind.bool, Kind.numeric)
            guard PQftype(result.result, CInt(index)) != Kind.numeric else {
                guard let number = Self.integer(numeric: bytes) else { throw StoredRowError(column: index) }
                return number
            }
            guard let first = bytes.first else { throw StoredRowError(column: index) }
            // Two's complement: what is shorter is filled by its sign, and a flag has none.
            let start: Int64 = bytes.count > 1 && first >= 0x80 ? -1 : 0
            return bytes.reduce(start) { $0 << 8 | Int64($1) }
        }

        func text(_ index: Int) throws -> String {
            String(decoding: try bytes(index, Kind.text), as: UTF8.self)
        }

        func blob(_ index: Int) throws -> [UInt8] {
            Array(try bytes(index, Kind.bytea))
        }

        /// No longer text or blob than identifiers and digests are.
        private static let longestValue: CInt = 256

        fileprivate func value(_ index: Int) -> SQLValue {
            let column = CInt(index)
            guard !isNull(index), PQgetlength(result.result, self.index, column) <= Self.longestValue else {
                return .null
            }
            switch PQftype(result.result, column) {
            case Kind.text: return (try? text(index)).map { .text($0) } ?? .null
            case Kind.bytea: return (try? blob(index)).map { .blob($0) } ?? .null
            case Kind.int8, Kind.int4, Kind.int2: return (try? integer(index)).map { .integer($0) } ?? .null
            default: return .null
            }
        }

        /// The result lives for as long as this row, so what is read of it does for the length of a call.
        private func bytes(_ index: Int, _ kinds: UInt32...) throws -> UnsafeRawBufferPointer {
            let column = CInt(index)
            guard !isNull(index), kinds.contains(PQftype(result.result, column)),
                let start = PQgetvalue(result.result, self.index, column)
            else { throw StoredRowError(column: index) }
            return UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result.result, self.index, column)))
        }

        /// What sums come as: digits of base 10,000 behind their number, the weight of the first, the sign and the
        /// scale.
        ///
        /// - Returns: `nil` for what is no whole number of 64 bits.
        private static func integer(numeric bytes: UnsafeRawBufferPointer) -> Int64? {
            let header = 8
            guard bytes.count >= header, bytes.count.isMultiple(of: 2) else { return nil }
            func word(_ index: Int) -> Int { Int(bytes[2 * index]) << 8 | Int(bytes[2 * index + 1]) }
            let (count, sign) = (word(0), word(2))
            let weight = Int(Int16(truncatingIfNeeded: word(1)))
            guard bytes.count == header + 2 * count, sign == 0 || sign == 0x4000 else { return nil }
            guard count > 0 else { return 0 }
            guard weight >= count - 1, weight <= 4 else { return nil }
            var number: Int64 = 0
            for place in 0...weight {
                let digit = place < count ? Int64(word(4 + place)) : 0
                let (product, tooLarge) = number.multipliedReportingOverflow(by: 10_000)
                let (sum, overflows) = product.subtractingReportingOverflow(digit)
                guard !tooLarge, !overflows else { return nil }
                number = sum
            }
            // Counted downwards: there is one negative number more than there are others.
            guard sign == 0 else { return number }
            let (positive, overflows) = Int64(0).subtractingReportingOverflow(number)
            return overflows ? nil : positive
        }
    }
}
