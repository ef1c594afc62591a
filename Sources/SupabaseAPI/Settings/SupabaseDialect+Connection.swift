// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import ServerKit

extension SupabaseDialect {
    public func connection(for call: CallContext) async throws -> @Sendable () -> ConnectionSettings {
        let projectKeys = try await ProjectKeyIssuer(for: call.directory, keys: keys, at: call.now)
        let (anonymous, serviceRole) = (projectKeys.anonymous, projectKeys.serviceRole)
        let providers = try await accounts.identityProviders.enabled(in: call.directory.id)
            .map { ProviderName(of: $0.name) }
        return { [settings] in
            let url = settings.url.text
            var connection = ConnectionSettings(
                name: "supabase", title: "Supabase",
                values: [
                    ("url", "Project URL", url), ("anonKey", "Anonymous key", anonymous),
                    ("serviceRoleKey", "Service role key", serviceRole.reveal()),
                ],
                snippets: [
                    (
                        "JavaScript",
                        """
                        import { createClient } from '@supabase/supabase-js'
                        const supabase = createClient('\(url)', '\(anonymous)')
                        """
                    )
                ],
                environment: [
                    ("SUPABASE_URL", url), ("SUPABASE_ANON_KEY", anonymous),
                    ("SUPABASE_SERVICE_ROLE_KEY", serviceRole.reveal()),
                ])
            DevelopmentSignIn(url: url, prefix: settings.publicPrefix, key: anonymous, providers: providers)
                .show(in: &connection)
            return connection
        }
    }
}
