// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import ServerKit

extension SupabaseDialect {
    public func connection(for call: CallContext) async throws -> @Sendable () -> ConnectionSettings {
        let projectKeys = try await ProjectKeyIssuer(for: call.directory, keys: keys, at: call.now)
        let (anonymous, serviceRole) = (projectKeys.anonymous, projectKeys.serviceRole)
        return { [settings] in
            let url = settings.url.text
            return ConnectionSettings(
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
        }
    }
}
