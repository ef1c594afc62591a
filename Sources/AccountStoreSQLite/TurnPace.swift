// SPDX-License-Identifier: Apache-2.0

/// How many rows a turn of work that can wait has, by how long the turns before it took: whoever writes meanwhile is
/// late by one.
///
/// What a row costs depends on what it is and on the disk: of rows that lie all over a database each changes some pages
/// of its own, and five hundred take a hundred times as long to commit as those that lie side by side.
struct TurnPace {
    /// A turn that took longer is followed by one half as large, one that took less than half of it by one twice as
    /// large.
    static let wanted: Duration = .milliseconds(2)
    /// On a disk that takes as long for anything, fewer would only need more turns.
    static let fewest = 8

    let most: Int
    private(set) var rows: Int

    init(most: Int) {
        self.most = max(1, most)
        rows = min(Self.fewest, self.most)
    }

    mutating func finish(in duration: Duration) {
        if duration > Self.wanted {
            rows = max(rows / 2, min(Self.fewest, most))
        } else if duration < Self.wanted / 2 {
            rows = min(rows * 2, most)
        }
    }
}
