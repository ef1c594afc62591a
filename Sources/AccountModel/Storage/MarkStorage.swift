// SPDX-License-Identifier: Apache-2.0

import AuthTypes

public protocol MarkReading {
    func mark(_ mark: StoreMark) throws -> Instant?
}

public protocol MarkWriting: MarkReading {
    /// Sets the mark, or moves it.
    func set(_ mark: StoreMark, at instant: Instant) throws

    /// Takes the mark away, if it is there.
    func remove(_ mark: StoreMark) throws
}
