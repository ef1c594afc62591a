// SPDX-License-Identifier: Apache-2.0

/// What an app's keys and triggers in the database did not let happen to an account: the field of an
/// ``AuthErrorCode/changeRefused``.
package enum DatabaseAct: String, Sendable, CaseIterable {
    case create, change, delete
}
