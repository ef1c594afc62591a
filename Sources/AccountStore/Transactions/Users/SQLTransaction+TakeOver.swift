// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let takeOverColumns: Columns = [
        "source", "directory_id", "moment", "position", "taken", "left_behind", "started_at", "finished_at",
    ]
    private static let tokenColumns: Columns = ["directory_id", "hash", "session_id", "generation", "hidden"]
    private static let tokenInsertion = Statement.insert("brought_refresh_tokens", tokenColumns)
    private static let tokenByHash = Statement.select(
        "brought_refresh_tokens", tokenColumns, "WHERE directory_id = ? AND hash = ?")

    func takeOver(of source: String) throws -> TakeOver? {
        try connection.first(
            Statement.select("take_overs", Self.takeOverColumns, "WHERE source = ?"), [SQLValue(source)]
        ) { row in
            TakeOver(
                source: try row.text(0), directoryID: try row.identifier(1), moment: try row.text(2),
                position: try row.optionalText(3), taken: Self.counts(try row.object(4)),
                left: Self.counts(try row.object(5)), startedAt: try row.instant(6),
                finishedAt: try row.optionalInstant(7))
        }
    }

    func put(_ takeOver: TakeOver) throws {
        _ = try execute(
            """
            INSERT INTO take_overs (\(Self.takeOverColumns.list)) VALUES (\(Self.takeOverColumns.placeholders))
            ON CONFLICT (source) DO UPDATE SET position = excluded.position, taken = excluded.taken,
            left_behind = excluded.left_behind, finished_at = excluded.finished_at
            """,
            [
                SQLValue(takeOver.source), SQLValue(takeOver.directoryID), SQLValue(takeOver.moment),
                SQLValue(takeOver.position), try SQLValue(Self.json(takeOver.taken)),
                try SQLValue(Self.json(takeOver.left)), SQLValue(takeOver.startedAt),
                SQLValue(takeOver.finishedAt),
            ])
    }

    private static func json(_ counts: TakeOver.Counts) -> JSONObject {
        TakeOver.Kind.allCases.reduce(into: [:]) { $0[$1.rawValue] = .integer(Int64(counts[$1])) }
    }

    private static func counts(_ json: JSONObject) -> TakeOver.Counts {
        TakeOver.Kind.allCases.reduce(into: TakeOver.Counts()) {
            $0[$1] = json[$1.rawValue]?.integerValue.map { Int($0) } ?? 0
        }
    }

    func broughtToken(_ hash: [UInt8], in directory: DirectoryID) throws -> BroughtRefreshToken? {
        try connection.first(Self.tokenByHash, [SQLValue(directory), SQLValue(hash)]) { row in
            guard let generation = UInt32(exactly: try row.integer(3)) else { throw StoredRowError(column: 3) }
            return BroughtRefreshToken(
                directoryID: try row.identifier(0), hash: try row.blob(1), session: try row.identifier(2),
                generation: generation, hidden: try row.blob(4))
        }
    }

    func insert(_ tokens: [BroughtRefreshToken]) throws {
        _ = try connection.execute(
            Self.tokenInsertion,
            each: tokens.map {
                [
                    SQLValue($0.directoryID), SQLValue($0.hash), SQLValue($0.session), SQLValue(Int64($0.generation)),
                    SQLValue($0.hidden),
                ]
            })
    }
}
