// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// Who is to take a new way, by a rule that an app gets from wherever it gets its settings (H-10). Pure.
public struct RolloutFlag: Sendable, Hashable {
    /// Salts the buckets: whoever is early with one flag is not with all.
    public var name: String
    /// 0 to 100, in steps of a hundredth. 0 takes everybody back at once, but for the ``allowed``.
    public var percentage: Double
    /// By the same identifiers as the buckets: these always take it, unless ``isOff``.
    public var allowed: Set<String>
    /// Nobody takes it.
    public var isOff: Bool

    /// A flag that this share is in, and these.
    public init(name: String, percentage: Double, allowed: Set<String> = [], isOff: Bool = false) {
        self.name = name
        self.percentage = percentage
        self.allowed = allowed
        self.isOff = isOff
    }

    /// - Parameter identifier: of the installation, or of the user where one is known. The same one always gets the
    ///   same answer, and keeps a yes while the percentage grows.
    public func includes(_ identifier: String) -> Bool {
        guard !isOff else { return false }
        if allowed.containsOctets(of: identifier) { return true }
        guard percentage > 0 else { return false }
        // 0.07 times 100 is more than 7, as a computer counts.
        return Double(Self.bucket(of: identifier, in: name)) < (percentage * 100).rounded()
    }

    /// 0 to 9,999, evenly.
    static func bucket(of identifier: String, in name: String) -> Int {
        // Of lengths that are said: no identifier runs into a name.
        let text = Array("\(name.utf8.count):\(name):\(identifier)".utf8)
        let number = SHA256.hash(data: text).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(number % 10_000)
    }
}
