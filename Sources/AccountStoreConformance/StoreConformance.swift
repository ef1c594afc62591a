// SPDX-License-Identifier: Apache-2.0

/// The conformance suite of the store: what any implementation of `AccountStoring` must do, whatever the database.
///
/// It knows no test framework. A driver's tests run each case on an empty store of their own:
///
/// ```swift
/// @Test(arguments: StoreConformance.cases)
/// func conforms(_ conformance: ConformanceCase) async throws {
///     try await conformance.run(on: makeEmptyStore())
/// }
/// ```
public enum StoreConformance {
    public static let cases: [ConformanceCase] =
        directories + domains + clients + resourceServers + users + userChanges + identifiers + userPages + userFilters
        + sharedAddresses
        + identities + sessions
        + oneTimeTokens
        + authorizationCodes + authorizations + deviceAuthorizations + registrations + identityProviders + federations
        + identityPools + factors + rememberedDevices
        + keys + audit
        + outbox + signUps + groups + profiles + restores + marks + nonces + attempts + lockouts
        + erasures + exports + transactions + factorRecoveries + terms + changes + takeOvers
}
