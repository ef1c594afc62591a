// SPDX-License-Identifier: Apache-2.0

import AccountModel

extension SQLTransaction {
    func changeCounts() throws -> [StoreTopic: Int64] {
        let topics = StoreTopic.allCases.map { SQLValue($0.rawValue) }
        let places = topics.map { _ in "?" }.joined(separator: ", ")
        let rows = try connection.query("SELECT topic, number FROM store_changes WHERE topic IN (\(places))", topics) {
            (topic: try $0.text(0), number: try $0.integer(1))
        }
        return Dictionary(
            rows.compactMap { row in StoreTopic(rawValue: row.topic).map { ($0, row.number) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// Counts a change of what servers keep copies of, and tells them once it is committed.
    func note(_ topics: StoreTopic...) throws {
        for topic in topics {
            _ = try execute(
                """
                INSERT INTO store_changes (topic, number) VALUES (?, 1)
                ON CONFLICT (topic) DO UPDATE SET number = store_changes.number + 1
                """, [SQLValue(topic.rawValue)])
        }
        connection.announceChange()
    }
}
