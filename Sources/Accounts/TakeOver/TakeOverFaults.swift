// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The accounts of another server's that can't be taken over. However many they are, few are kept.
struct TakeOverFaults {
    /// So many are in the refusal, and so many are told one by one.
    private static let named = 20
    private static let told = 1_000

    private let tell: (_ id: String, _ why: String) -> Void
    private var count = 0
    private var names: [String] = []

    init(_ tell: @escaping (_ id: String, _ why: String) -> Void) {
        self.tell = tell
    }

    mutating func add(_ id: String, _ error: any Error) {
        let error = error as? AuthError ?? AuthError(.invalidRequest, reason: "can't be read")
        let why = (error.field.map { "\($0): " } ?? "") + (error.reason ?? error.code.rawValue)
        count += 1
        if count <= Self.told { tell(id, why) }
        if names.count < Self.named { names.append("\(id) (\(why))") }
    }

    /// `nil` where there are none.
    ///
    /// - Parameter isBegun: whether some have come already, whose rows are compared at the end.
    func refusal(isBegun: Bool = false) -> AuthError? {
        guard count > 0 else { return nil }
        return AuthError(
            .conflict,
            reason: "\(count) of the accounts can't be taken over, and so none is served: "
                + names.joined(separator: ", ") + (count > names.count ? ", …" : "")
                + (isBegun ? ". Mend them, drop our schema and start again" : ""))
    }
}
