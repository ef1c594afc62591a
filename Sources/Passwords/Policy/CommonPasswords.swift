// SPDX-License-Identifier: Apache-2.0

/// The passwords that guessing begins with.
enum CommonPasswords {
    /// Whether `password`, in lower case, is one of them, by itself or with digits and marks at its end: "password1!"
    /// is guessed right after "password".
    static func contains(_ password: String) -> Bool {
        if all.contains(password) { return true }
        let stem = String(password.reversed().drop { $0.isNumber || "!.?*#$@-_".contains($0) }.reversed())
        return stem.count >= 6 && stem != password && password.count - stem.count <= 4 && all.contains(stem)
    }

    private static let all: Set<String> = Set(list.split(separator: "\n").map { $0.lowercased() })
}
