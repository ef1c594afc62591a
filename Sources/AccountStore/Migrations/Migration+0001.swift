// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Times are microseconds since 1970, flags 0 or 1, metadata JSON text. Identifiers are unique within a Directory,
    /// so that one Directory's export can be imported into another.
    static let initial = Migration(
        number: 1,
        statements: [
            "CREATE TABLE marks (name TEXT PRIMARY KEY, at BIGINT NOT NULL)",
            // How often what servers keep copies of was changed.
            "CREATE TABLE store_changes (topic TEXT PRIMARY KEY, number BIGINT NOT NULL)",
            // What the values of sealed columns (`SealedColumn`) are sealed with. `complete_at` is when all of them
            // were.
            """
            CREATE TABLE data_keys (
                id BIGINT PRIMARY KEY, master_key_id TEXT NOT NULL, wrapped BLOB NOT NULL, created_at BIGINT NOT NULL,
                complete_at BIGINT)
            """,
            """
            CREATE TABLE directories (
                id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, settings TEXT NOT NULL, token_key BLOB NOT NULL,
                user_count BIGINT NOT NULL DEFAULT 0, user_changes BIGINT NOT NULL DEFAULT 0,
                created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, version BIGINT NOT NULL)
            """,
            // `app_metadata` is a provider's name for what most have there, and a `username` that is its own key is
            // null: `UserWords`.
            """
            CREATE TABLE users (
                directory_id TEXT NOT NULL REFERENCES directories (id) ON DELETE CASCADE, id TEXT NOT NULL,
                email TEXT, email_verified_at BIGINT, phone TEXT, phone_verified_at BIGINT, password_hash BLOB,
                pending_email TEXT, pending_email_half_confirmed BIGINT NOT NULL, pending_phone TEXT,
                app_metadata TEXT NOT NULL, user_metadata TEXT NOT NULL, dialect_data TEXT NOT NULL, role TEXT,
                is_anonymous BIGINT NOT NULL,
                banned_until BIGINT, invited_at BIGINT, last_sign_in_at BIGINT, sent_confirmation BIGINT,
                sent_recovery BIGINT, sent_email_change BIGINT, sent_phone_change BIGINT,
                sent_reauthentication BIGINT, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
                deletion_due_at BIGINT, deleted_at BIGINT, version BIGINT NOT NULL, username TEXT, username_key TEXT,
                temporary_password BIGINT NOT NULL, temporary_expires_at BIGINT, srp_salt BLOB, srp_verifier BLOB,
                tokens_valid_since BIGINT, origin TEXT NOT NULL, password_form TEXT, external_identifiers TEXT,
                confirmed_at BIGINT, email_holder TEXT NOT NULL, phone_holder TEXT NOT NULL,
                password_changed_at BIGINT, ended_codes BIGINT NOT NULL DEFAULT 0, language TEXT,
                PRIMARY KEY (directory_id, id))
            """,
            // Whose each of `users.external_identifiers` is. The key is the row, and a user's are known from their own:
            // whoever deletes a user deletes these, so that an import writes one tree for them and not three.
            """
            CREATE TABLE user_identifiers (
                directory_id TEXT NOT NULL REFERENCES directories (id) ON DELETE CASCADE, identifier TEXT NOT NULL,
                user_id TEXT NOT NULL, PRIMARY KEY (directory_id, identifier)) WITHOUT ROWID
            """,
            "CREATE INDEX users_password_form ON users (directory_id, password_form) WHERE password_form IS NOT NULL",
            // In the order in which users come: rows are then added at its end.
            "CREATE INDEX users_created ON users (directory_id, created_at, id) WHERE deleted_at IS NULL",
            "CREATE INDEX users_deleted ON users (directory_id, deleted_at) WHERE deleted_at IS NOT NULL",
            "CREATE INDEX users_deletion_due ON users (deletion_due_at) WHERE deletion_due_at IS NOT NULL",
            """
            CREATE INDEX users_deletion_waiting ON users (directory_id, deletion_due_at)
            WHERE deletion_due_at IS NOT NULL
            """,
            // After the others: where nobody has counted a table yet PostgreSQL takes the one that was made last of
            // those that seem to be as good, and these find one user, where the others walk through a Directory. The
            // holder (`AddressHolder`) is empty for the one whose name it is, and there is one of them at most. An
            // entry that nobody is found by costs an import as much as any other: who has no address, number or name is
            // in none.
            """
            CREATE UNIQUE INDEX users_email ON users (directory_id, email, email_holder)
            WHERE deleted_at IS NULL AND email IS NOT NULL
            """,
            """
            CREATE UNIQUE INDEX users_phone ON users (directory_id, phone, phone_holder)
            WHERE deleted_at IS NULL AND phone IS NOT NULL
            """,
            """
            CREATE UNIQUE INDEX users_username ON users (directory_id, username_key)
            WHERE deleted_at IS NULL AND username_key IS NOT NULL
            """,
            // Whose rows are still to be deleted, turn by turn, and how far that is.
            """
            CREATE TABLE erasures (
                directory_id TEXT NOT NULL, user_id TEXT NOT NULL, keeps_row BIGINT NOT NULL, audit_action TEXT,
                audit_at BIGINT, audit_id TEXT, PRIMARY KEY (directory_id, user_id),
                FOREIGN KEY (directory_id, user_id) REFERENCES users (directory_id, id) ON DELETE CASCADE)
            """,
            """
            CREATE TABLE identities (
                id TEXT PRIMARY KEY, directory_id TEXT NOT NULL, user_id TEXT NOT NULL, provider TEXT NOT NULL,
                subject TEXT NOT NULL, data TEXT NOT NULL, last_sign_in_at BIGINT, created_at BIGINT NOT NULL,
                updated_at BIGINT NOT NULL,
                FOREIGN KEY (directory_id, user_id) REFERENCES users (directory_id, id) ON DELETE CASCADE)
            """,
            // The subject of those that follow from an address or a number is their user, and the row says so by an
            // empty one: they are found by the user, and cost no second entry.
            "CREATE UNIQUE INDEX identities_subject ON identities (directory_id, provider, subject) WHERE subject <> ''",
            "CREATE INDEX identities_user ON identities (directory_id, user_id)",
            """
            CREATE TABLE sessions (
                id TEXT PRIMARY KEY, directory_id TEXT NOT NULL, user_id TEXT NOT NULL, device_name TEXT,
                device_system TEXT, device_app_version TEXT, device_user_agent TEXT, device_address TEXT,
                methods TEXT NOT NULL, assurance BIGINT NOT NULL, created_at BIGINT NOT NULL,
                last_active_at BIGINT NOT NULL, not_after BIGINT, revoked_at BIGINT, revocation TEXT,
                generation BIGINT NOT NULL, live_hash BLOB NOT NULL, steps BLOB NOT NULL, client_id TEXT,
                rotates BIGINT, claims TEXT, parent_id TEXT, remembered_device_id TEXT, client_grant TEXT,
                is_offline BIGINT NOT NULL,
                FOREIGN KEY (directory_id, user_id) REFERENCES users (directory_id, id) ON DELETE CASCADE)
            """,
            // What belongs to a user is found by the user first, here and below: by an index that begins with the
            // Directory PostgreSQL looks for a key too, as long as nobody has counted the table.
            "CREATE INDEX sessions_user ON sessions (user_id, directory_id, device_address)",
            "CREATE INDEX sessions_parent ON sessions (parent_id, directory_id) WHERE parent_id IS NOT NULL",
            "CREATE INDEX sessions_revoked ON sessions (revoked_at) WHERE revoked_at IS NOT NULL",
            "CREATE INDEX sessions_ended ON sessions (not_after) WHERE not_after IS NOT NULL",
            // Tokens that another server has made, of sessions that were taken over from it, and how far taking over
            // has come.
            """
            CREATE TABLE brought_refresh_tokens (
                directory_id TEXT NOT NULL, hash BLOB NOT NULL,
                session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE, generation BIGINT NOT NULL,
                hidden BLOB NOT NULL, PRIMARY KEY (directory_id, hash)) WITHOUT ROWID
            """,
            "CREATE INDEX brought_refresh_tokens_session ON brought_refresh_tokens (session_id)",
            """
            CREATE TABLE take_overs (
                source TEXT PRIMARY KEY, directory_id TEXT NOT NULL, moment TEXT NOT NULL, position TEXT,
                taken TEXT NOT NULL, left_behind TEXT NOT NULL, started_at BIGINT NOT NULL, finished_at BIGINT)
            """,
            """
            CREATE TABLE sign_up_attempts (
                id TEXT PRIMARY KEY, directory_id TEXT NOT NULL, user_id TEXT NOT NULL, password_hash BLOB,
                srp_salt BLOB, srp_verifier BLOB, phone TEXT, email TEXT, user_metadata TEXT NOT NULL, dialect_data TEXT NOT NULL, truncated_address TEXT, created_at BIGINT NOT NULL,
                is_disabled BIGINT NOT NULL, agreed TEXT,
                FOREIGN KEY (directory_id, user_id) REFERENCES users (directory_id, id) ON DELETE CASCADE)
            """,
            "CREATE INDEX sign_up_attempts_user ON sign_up_attempts (directory_id, user_id, created_at, id)",
            """
            CREATE TABLE one_time_tokens (
                id TEXT PRIMARY KEY, directory_id TEXT NOT NULL, user_id TEXT NOT NULL, purpose TEXT NOT NULL,
                link_hash BLOB NOT NULL UNIQUE, code_hash BLOB NOT NULL, recipient TEXT NOT NULL,
                code_challenge TEXT, attempts BIGINT NOT NULL, created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL,
                code_expires_at BIGINT NOT NULL, sign_up_id TEXT REFERENCES sign_up_attempts (id) ON DELETE CASCADE,
                asked_by BLOB NOT NULL, own_attempts BIGINT NOT NULL, agreed TEXT, is_disabled BIGINT NOT NULL,
                is_holders BIGINT NOT NULL,
                FOREIGN KEY (directory_id, user_id) REFERENCES users (directory_id, id) ON DELETE CASCADE)
            """,
            // One of each purpose for each sign-up, and one that is of none.
            "CREATE INDEX one_time_tokens_user ON one_time_tokens (user_id, directory_id, purpose)",
            """
            CREATE UNIQUE INDEX one_time_tokens_single ON one_time_tokens (user_id, directory_id, purpose)
            WHERE sign_up_id IS NULL
            """,
            "CREATE UNIQUE INDEX one_time_tokens_sign_up ON one_time_tokens (sign_up_id, purpose)",
            "CREATE INDEX one_time_tokens_recipient ON one_time_tokens (recipient, directory_id, purpose)",
            "CREATE INDEX one_time_tokens_expiry ON one_time_tokens (expires_at)",
            """
            CREATE TABLE authorization_codes (
                id TEXT PRIMARY KEY, directory_id TEXT NOT NULL, user_id TEXT NOT NULL, code_hash BLOB NOT NULL UNIQUE,
                request TEXT NOT NULL, methods TEXT NOT NULL, assurance BIGINT NOT NULL, parent_id TEXT,
                created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, used_at BIGINT, session_id TEXT,
                upstream_tokens BLOB,
                FOREIGN KEY (directory_id, user_id) REFERENCES users (directory_id, id) ON DELETE CASCADE)
            """,
            "CREATE INDEX authorization_codes_user ON authorization_codes (user_id, directory_id)",
            "CREATE INDEX authorization_codes_expiry ON authorization_codes (expires_at)",
            // Second factors, what they were asked, and the codes for when they are lost: of those and of codes that
            // are sent only hashes are kept. A challenge of nobody's waits for an answer that says who it is.
            """
            CREATE TABLE factors (
                id TEXT PRIMARY KEY, directory_id TEXT NOT NULL, user_id TEXT NOT NULL, kind TEXT NOT NULL, name TEXT,
                secret BLOB, recipient TEXT, credential_id BLOB, details TEXT NOT NULL, verified_at BIGINT,
                expires_at BIGINT, is_enabled BIGINT NOT NULL, is_preferred BIGINT NOT NULL, created_at BIGINT NOT NULL,
                updated_at BIGINT NOT NULL, last_used_at BIGINT, last_challenged_at BIGINT, spent_codes BLOB NOT NULL,
                FOREIGN KEY (directory_id, user_id) REFERENCES users (directory_id, id) ON DELETE CASCADE)
            """,
            "CREATE INDEX factors_user ON factors (directory_id, user_id, created_at, id)",
            "CREATE UNIQUE INDEX factors_name ON factors (directory_id, user_id, name) WHERE name IS NOT NULL",
            """
            CREATE UNIQUE INDEX factors_credential ON factors (directory_id, credential_id)
            WHERE credential_id IS NOT NULL
            """,
            "CREATE INDEX factors_expiry ON factors (expires_at) WHERE expires_at IS NOT NULL",
            """
            CREATE TABLE factor_challenges (
                id TEXT PRIMARY KEY, directory_id TEXT NOT NULL REFERENCES directories (id) ON DELETE CASCADE,
                user_id TEXT, factor_id TEXT REFERENCES factors (id) ON DELETE CASCADE, holder TEXT NOT NULL,
                code_hash BLOB NOT NULL, data TEXT NOT NULL, created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL,
                used_at BIGINT,
                FOREIGN KEY (directory_id, user_id) REFERENCES users (directory_id, id) ON DELETE CASCADE)
            """,
            "CREATE INDEX factor_challenges_factor ON factor_challenges (factor_id, created_at, id)",
            "CREATE INDEX factor_challenges_user ON factor_challenges (directory_id, user_id)",
            "CREATE INDEX factor_challenges_expiry ON factor_challenges (expires_at)",
            """
            CREATE TABLE backup_code_sets (
                id TEXT PRIMARY KEY, directory_id TEXT NOT NULL, user_id TEXT NOT NULL, name TEXT,
                created_at BIGINT NOT NULL,
                FOREIGN KEY (directory_id, user_id) REFERENCES users (directory_id, id) ON DELETE CASCADE)
            """,
            "CREATE UNIQUE INDEX backup_code_sets_user ON backup_code_sets (directory_id, user_id)",
            """
            CREATE TABLE backup_codes (
                directory_id TEXT NOT NULL, user_id TEXT NOT NULL, hash BLOB NOT NULL,
                set_id TEXT NOT NULL REFERENCES backup_code_sets (id) ON DELETE CASCADE, used_at BIGINT,
                PRIMARY KEY (directory_id, user_id, hash))
            """,
            "CREATE INDEX backup_codes_set ON backup_codes (set_id)",
            // Who waits for their second factors to be removed (ADR 0075).
            """
            CREATE TABLE factor_recoveries (
                directory_id TEXT NOT NULL, user_id TEXT NOT NULL, requested_at BIGINT NOT NULL,
                due_at BIGINT NOT NULL, ends_at BIGINT NOT NULL, told_at BIGINT, PRIMARY KEY (directory_id, user_id),
                FOREIGN KEY (directory_id, user_id) REFERENCES users (directory_id, id) ON DELETE CASCADE)
            """,
            "CREATE INDEX factor_recoveries_due ON factor_recoveries (due_at, user_id) WHERE told_at IS NULL",
            "CREATE INDEX factor_recoveries_end ON factor_recoveries (ends_at)",
            // Devices that keep a secret for their user (ADR 0072).
            """
            CREATE TABLE remembered_devices (
                id TEXT PRIMARY KEY, directory_id TEXT NOT NULL, user_id TEXT NOT NULL, srp_salt BLOB NOT NULL,
                srp_verifier BLOB NOT NULL, is_remembered BIGINT NOT NULL, assurance BIGINT NOT NULL, name TEXT,
                truncated_address TEXT, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
                last_used_at BIGINT NOT NULL,
                FOREIGN KEY (directory_id, user_id) REFERENCES users (directory_id, id) ON DELETE CASCADE)
            """,
            "CREATE INDEX remembered_devices_user ON remembered_devices (directory_id, user_id, id)",
            // Spent tickets and counted attempts (ADR 0022). Neither row says whose it is.
            """
            CREATE TABLE spent_nonces (
                directory_id TEXT NOT NULL REFERENCES directories (id) ON DELETE CASCADE, nonce BLOB NOT NULL,
                expires_at BIGINT NOT NULL, PRIMARY KEY (directory_id, nonce)) WITHOUT ROWID
            """,
            "CREATE INDEX spent_nonces_expiry ON spent_nonces (expires_at)",
            """
            CREATE TABLE counted_attempts (
                directory_id TEXT NOT NULL REFERENCES directories (id) ON DELETE CASCADE, key BLOB NOT NULL,
                free_at BIGINT NOT NULL, PRIMARY KEY (directory_id, key)) WITHOUT ROWID
            """,
            "CREATE INDEX counted_attempts_end ON counted_attempts (free_at)",
            // Wrong passwords, and what they locked (ADR 0055): of a name that nobody has, nothing says which.
            """
            CREATE TABLE lockouts (
                directory_id TEXT NOT NULL REFERENCES directories (id) ON DELETE CASCADE, key BLOB NOT NULL,
                user_id TEXT, is_own BIGINT NOT NULL, failures BLOB NOT NULL, locked_at BIGINT, truncated_address TEXT,
                ends_at BIGINT NOT NULL, PRIMARY KEY (directory_id, key),
                FOREIGN KEY (directory_id, user_id) REFERENCES users (directory_id, id) ON DELETE CASCADE)
            """,
            "CREATE INDEX lockouts_user ON lockouts (directory_id, user_id) WHERE user_id IS NOT NULL",
            "CREATE INDEX lockouts_end ON lockouts (ends_at)",
            """
            CREATE INDEX lockouts_locked ON lockouts (directory_id, locked_at, key)
            WHERE locked_at IS NOT NULL AND is_own = 0
            """,
            """
            CREATE TABLE signing_keys (
                directory_id TEXT NOT NULL REFERENCES directories (id) ON DELETE CASCADE, id TEXT NOT NULL,
                purpose TEXT NOT NULL, algorithm TEXT NOT NULL, private_jwk BLOB NOT NULL, state TEXT NOT NULL,
                created_at BIGINT NOT NULL, activated_at BIGINT, retires_at BIGINT, PRIMARY KEY (directory_id, id))
            """,
            """
            CREATE TABLE clients (
                id TEXT PRIMARY KEY, directory_id TEXT NOT NULL REFERENCES directories (id) ON DELETE CASCADE,
                name TEXT NOT NULL, flows TEXT NOT NULL, access_token_lifetime BIGINT, id_token_lifetime BIGINT,
                refresh_token_lifetime BIGINT, step_lifetime BIGINT, conceals_users BIGINT NOT NULL,
                rotates_refresh_tokens BIGINT NOT NULL, rotation_grace BIGINT NOT NULL, revokes_tokens BIGINT NOT NULL,
                authorization_enabled BIGINT NOT NULL, grants TEXT NOT NULL, scopes TEXT NOT NULL,
                default_redirect_uri TEXT, consent TEXT NOT NULL, authentication TEXT, keys TEXT,
                backchannel_logout_uri TEXT, id_token_algorithm TEXT NOT NULL, requires_pushed_requests BIGINT NOT NULL,
                requires_pkce BIGINT NOT NULL, dpop_bound BIGINT NOT NULL, dialect TEXT, profile TEXT,
                attributes TEXT NOT NULL, requires_signed_requests BIGINT NOT NULL, request_algorithm TEXT,
                providers_only BIGINT NOT NULL, passkey_origins TEXT NOT NULL, created_at BIGINT NOT NULL,
                updated_at BIGINT NOT NULL, version BIGINT NOT NULL)
            """,
            "CREATE INDEX clients_directory ON clients (directory_id, created_at, id)",
            """
            CREATE TABLE client_secrets (
                id TEXT PRIMARY KEY, directory_id TEXT NOT NULL, hash BLOB NOT NULL, text BLOB, created_at BIGINT NOT NULL,
                client_id TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE)
            """,
            "CREATE INDEX client_secrets_client ON client_secrets (client_id, created_at, id)",
            "CREATE INDEX client_secrets_directory ON client_secrets (directory_id, client_id, created_at, id)",
            // What a client has lists of, such as the places that users may be sent back to.
            """
            CREATE TABLE client_values (
                directory_id TEXT NOT NULL, list TEXT NOT NULL, position BIGINT NOT NULL, value TEXT NOT NULL,
                client_id TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
                PRIMARY KEY (client_id, list, position))
            """,
            "CREATE INDEX client_values_directory ON client_values (directory_id, client_id, list, position)",
            // Scopes are read and written all together.
            """
            CREATE TABLE resource_servers (
                directory_id TEXT NOT NULL REFERENCES directories (id) ON DELETE CASCADE, identifier TEXT NOT NULL,
                name TEXT NOT NULL, scopes TEXT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
                PRIMARY KEY (directory_id, identifier))
            """,
            """
            CREATE TABLE directory_domains (
                name TEXT PRIMARY KEY, directory_id TEXT NOT NULL REFERENCES directories (id) ON DELETE CASCADE,
                kind TEXT NOT NULL, attributes TEXT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL)
            """,
            "CREATE UNIQUE INDEX directory_domains_kind ON directory_domains (directory_id, kind)",
            // Other people's identity providers, what browsers are away with there, and what those have granted. The
            // row of a grant is its identity's.
            """
            CREATE TABLE identity_providers (
                id TEXT PRIMARY KEY, directory_id TEXT NOT NULL REFERENCES directories (id) ON DELETE CASCADE,
                name TEXT NOT NULL, kind TEXT NOT NULL, settings TEXT NOT NULL, secret BLOB,
                created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, version BIGINT NOT NULL)
            """,
            "CREATE UNIQUE INDEX identity_providers_name ON identity_providers (directory_id, name)",
            """
            CREATE TABLE pending_federations (
                id TEXT PRIMARY KEY, directory_id TEXT NOT NULL REFERENCES directories (id) ON DELETE CASCADE,
                state_hash BLOB NOT NULL UNIQUE, provider_id TEXT NOT NULL, provider TEXT NOT NULL, issuer TEXT,
                binding BLOB NOT NULL, nonce TEXT NOT NULL, verifier BLOB NOT NULL, redirect_uri TEXT NOT NULL,
                dialect TEXT NOT NULL, continuation TEXT NOT NULL, links_to TEXT, session_id TEXT, created_at BIGINT NOT NULL,
                expires_at BIGINT NOT NULL, used_at BIGINT)
            """,
            "CREATE INDEX pending_federations_directory ON pending_federations (directory_id)",
            "CREATE INDEX pending_federations_expiry ON pending_federations (expires_at)",
            """
            CREATE TABLE upstream_grants (
                id TEXT PRIMARY KEY REFERENCES identities (id) ON DELETE CASCADE, directory_id TEXT NOT NULL,
                refresh_token BLOB NOT NULL, updated_at BIGINT NOT NULL, due_at BIGINT, failures BIGINT NOT NULL)
            """,
            "CREATE INDEX upstream_grants_due ON upstream_grants (due_at) WHERE due_at IS NOT NULL",
            // Of an identity that has ended only a keyed hash is kept, for as long as what was said before may wait.
            """
            CREATE TABLE identity_ends (
                directory_id TEXT NOT NULL REFERENCES directories (id) ON DELETE CASCADE, key BLOB NOT NULL,
                ended_at BIGINT NOT NULL, PRIMARY KEY (directory_id, key))
            """,
            "CREATE INDEX identity_ends_when ON identity_ends (ended_at)",
            // Of a browser only the hash of its name is kept. A client's requests go with it.
            """
            CREATE TABLE pending_authorizations (
                id TEXT PRIMARY KEY, directory_id TEXT NOT NULL REFERENCES directories (id) ON DELETE CASCADE,
                client_id TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE, request TEXT NOT NULL,
                parameters TEXT NOT NULL, is_pushed BIGINT NOT NULL, pushed_id TEXT, browser BLOB,
                chosen_session TEXT, consented_by TEXT, consented_scopes TEXT NOT NULL, is_denied BIGINT NOT NULL, fault TEXT,
                created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, completed_at BIGINT)
            """,
            "CREATE INDEX pending_authorizations_directory ON pending_authorizations (directory_id)",
            "CREATE INDEX pending_authorizations_client ON pending_authorizations (client_id)",
            "CREATE INDEX pending_authorizations_expiry ON pending_authorizations (expires_at)",
            // Of both codes only hashes are kept.
            """
            CREATE TABLE device_authorizations (
                id TEXT PRIMARY KEY, directory_id TEXT NOT NULL REFERENCES directories (id) ON DELETE CASCADE,
                client_id TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE, device_hash BLOB NOT NULL,
                user_hash BLOB NOT NULL, scopes TEXT NOT NULL, resources TEXT NOT NULL,
                poll_interval BIGINT NOT NULL, polled_at BIGINT, allowed_in TEXT, is_denied BIGINT NOT NULL,
                created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, used_at BIGINT)
            """,
            "CREATE INDEX device_authorizations_directory ON device_authorizations (directory_id)",
            "CREATE INDEX device_authorizations_client ON device_authorizations (client_id)",
            "CREATE INDEX device_authorizations_expiry ON device_authorizations (expires_at)",
            "CREATE UNIQUE INDEX device_authorizations_device ON device_authorizations (device_hash)",
            "CREATE UNIQUE INDEX device_authorizations_code ON device_authorizations (user_hash)",
            """
            CREATE TABLE consents (
                directory_id TEXT NOT NULL, user_id TEXT NOT NULL,
                client_id TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE, scopes TEXT NOT NULL,
                created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, PRIMARY KEY (directory_id, user_id, client_id),
                FOREIGN KEY (directory_id, user_id) REFERENCES users (directory_id, id) ON DELETE CASCADE)
            """,
            "CREATE INDEX consents_client ON consents (client_id)",
            // Who somebody is to other services, by logins of several providers. An identity is found without its
            // Directory.
            """
            CREATE TABLE identity_pools (
                id TEXT PRIMARY KEY, directory_id TEXT NOT NULL REFERENCES directories (id) ON DELETE CASCADE,
                name TEXT NOT NULL, settings TEXT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
                version BIGINT NOT NULL)
            """,
            "CREATE INDEX identity_pools_directory ON identity_pools (directory_id, id)",
            """
            CREATE TABLE pool_identities (
                id TEXT PRIMARY KEY, pool_id TEXT NOT NULL REFERENCES identity_pools (id) ON DELETE CASCADE,
                directory_id TEXT NOT NULL, is_authenticated BIGINT NOT NULL, merged_into TEXT,
                created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL)
            """,
            "CREATE INDEX pool_identities_pool ON pool_identities (pool_id, id)",
            """
            CREATE TABLE pool_logins (
                pool_id TEXT NOT NULL, provider TEXT NOT NULL, issuer TEXT NOT NULL, subject TEXT NOT NULL,
                identity_id TEXT NOT NULL REFERENCES pool_identities (id) ON DELETE CASCADE,
                created_at BIGINT NOT NULL, PRIMARY KEY (pool_id, provider, issuer, subject))
            """,
            "CREATE INDEX pool_logins_identity ON pool_logins (identity_id)",
            // What lets programs register themselves as clients, and those that have: of their tokens only hashes are
            // kept.
            """
            CREATE TABLE initial_access_tokens (
                id TEXT PRIMARY KEY, directory_id TEXT NOT NULL REFERENCES directories (id) ON DELETE CASCADE,
                name TEXT NOT NULL, hash BLOB NOT NULL UNIQUE, grants TEXT NOT NULL, scopes TEXT NOT NULL,
                redirect_hosts TEXT NOT NULL, uses_left BIGINT, created_at BIGINT NOT NULL, expires_at BIGINT,
                revoked_at BIGINT)
            """,
            "CREATE INDEX initial_access_tokens_directory ON initial_access_tokens (directory_id, created_at, id)",
            """
            CREATE TABLE self_registrations (
                client_id TEXT PRIMARY KEY REFERENCES clients (id) ON DELETE CASCADE,
                directory_id TEXT NOT NULL REFERENCES directories (id) ON DELETE CASCADE, access_hash BLOB NOT NULL,
                initial_token TEXT NOT NULL, left_grants TEXT, left_scopes TEXT, left_redirect_uris TEXT,
                left_sign_out_uris TEXT)
            """,
            "CREATE INDEX self_registrations_directory ON self_registrations (directory_id)",
            """
            CREATE TABLE api_keys (
                id TEXT PRIMARY KEY, directory_id TEXT NOT NULL REFERENCES directories (id) ON DELETE CASCADE,
                name TEXT NOT NULL, kind TEXT NOT NULL, prefix TEXT NOT NULL, hash BLOB NOT NULL UNIQUE,
                scopes TEXT NOT NULL, created_at BIGINT NOT NULL, expires_at BIGINT, revoked_at BIGINT,
                last_used_at BIGINT)
            """,
            "CREATE INDEX api_keys_directory ON api_keys (directory_id, created_at)",
            """
            CREATE TABLE service_account_keys (
                id TEXT PRIMARY KEY, directory_id TEXT NOT NULL REFERENCES directories (id) ON DELETE CASCADE,
                account TEXT NOT NULL, public_jwk TEXT NOT NULL, scopes TEXT NOT NULL, created_at BIGINT NOT NULL,
                revoked_at BIGINT)
            """,
            "CREATE INDEX service_account_keys_account ON service_account_keys (directory_id, account, created_at)",
            """
            CREATE TABLE audit_events (
                id TEXT NOT NULL, directory_id TEXT NOT NULL REFERENCES directories (id) ON DELETE CASCADE,
                action TEXT NOT NULL, actor_kind TEXT NOT NULL, actor TEXT, user_id TEXT, email_hash TEXT,
                truncated_address TEXT, user_agent TEXT, details TEXT NOT NULL, at BIGINT NOT NULL)
            """,
            // Every sign-in writes each of these trees: the order of pages is what keeps an event one, too.
            "CREATE UNIQUE INDEX audit_events_time ON audit_events (directory_id, at, id)",
            "CREATE INDEX audit_events_action ON audit_events (directory_id, action, at, id)",
            // The action goes before the time: how often a user failed of late must cost the same however much they
            // did.
            "CREATE INDEX audit_events_user ON audit_events (directory_id, user_id, action, at, id)",
            """
            CREATE TABLE outbox (
                id TEXT PRIMARY KEY, directory_id TEXT NOT NULL REFERENCES directories (id) ON DELETE CASCADE,
                channel TEXT NOT NULL, kind TEXT NOT NULL, recipient TEXT NOT NULL, content BLOB NOT NULL, state TEXT NOT NULL,
                attempts BIGINT NOT NULL, due_at BIGINT NOT NULL, created_at BIGINT NOT NULL, sent_at BIGINT,
                last_error TEXT, user_id TEXT, queue TEXT, position BIGINT, waits BIGINT NOT NULL)
            """,
            // What is to be handed over in order: all but the first of a queue waits.
            "CREATE INDEX outbox_queue ON outbox (queue, position) WHERE state = 'pending' AND queue IS NOT NULL",
            "CREATE INDEX outbox_channel ON outbox (channel, waits, due_at, id) WHERE state = 'pending'",
            "CREATE INDEX outbox_directory ON outbox (directory_id, created_at)",
            "CREATE INDEX outbox_recipient ON outbox (recipient, created_at)",
            "CREATE INDEX outbox_created ON outbox (created_at)",
            // What letters are about: where they went may be nobody's any more.
            "CREATE INDEX outbox_user ON outbox (user_id, directory_id, created_at) WHERE user_id IS NOT NULL",
            """
            CREATE TABLE user_groups (
                id TEXT PRIMARY KEY, directory_id TEXT NOT NULL REFERENCES directories (id) ON DELETE CASCADE,
                name TEXT NOT NULL, description TEXT, precedence BIGINT, role TEXT, created_at BIGINT NOT NULL,
                updated_at BIGINT NOT NULL)
            """,
            "CREATE UNIQUE INDEX user_groups_name ON user_groups (directory_id, name)",
            """
            CREATE TABLE group_members (
                group_id TEXT NOT NULL REFERENCES user_groups (id) ON DELETE CASCADE, directory_id TEXT NOT NULL,
                user_id TEXT NOT NULL, added_at BIGINT NOT NULL, by_provider BIGINT NOT NULL,
                PRIMARY KEY (group_id, user_id),
                FOREIGN KEY (directory_id, user_id) REFERENCES users (directory_id, id) ON DELETE CASCADE)
            """,
            "CREATE INDEX group_members_user ON group_members (directory_id, user_id)",
            """
            CREATE TABLE profiles (
                directory_id TEXT NOT NULL, user_id TEXT NOT NULL, name TEXT, picture TEXT, locale TEXT,
                updated_at BIGINT NOT NULL, PRIMARY KEY (directory_id, user_id),
                FOREIGN KEY (directory_id, user_id) REFERENCES users (directory_id, id) ON DELETE CASCADE)
            """,
            // The key's columns first, as they are stored: SQLite 3.40 takes others for damage
            // (`PRAGMA integrity_check`).
            """
            CREATE TABLE activities (
                directory_id TEXT NOT NULL, user_id TEXT NOT NULL, at BIGINT NOT NULL, id TEXT NOT NULL,
                type TEXT NOT NULL, description TEXT NOT NULL, duration_seconds BIGINT NOT NULL,
                PRIMARY KEY (directory_id, user_id, at, id),
                FOREIGN KEY (directory_id, user_id) REFERENCES users (directory_id, id) ON DELETE CASCADE) WITHOUT ROWID
            """,
            // With all that a list shows: one that only narrows would be passed over for the table itself, which is in
            // the order of the list too.
            """
            CREATE INDEX activities_type ON activities
                (directory_id, user_id, type, at, id, description, duration_seconds)
            """,
            // What users are asked to agree to, and what they have said to it. A purpose that the program brings has no
            // row of its own, so an agreement's version refers to nothing.
            """
            CREATE TABLE terms (
                directory_id TEXT NOT NULL REFERENCES directories (id) ON DELETE CASCADE, name TEXT NOT NULL,
                version TEXT NOT NULL, kind TEXT NOT NULL, is_demanded BIGINT NOT NULL, texts TEXT NOT NULL,
                effective_at BIGINT NOT NULL, created_at BIGINT NOT NULL, PRIMARY KEY (directory_id, name, version))
            """,
            "CREATE UNIQUE INDEX terms_effective ON terms (directory_id, name, effective_at)",
            """
            CREATE TABLE agreements (
                directory_id TEXT NOT NULL, user_id TEXT NOT NULL, name TEXT NOT NULL, sequence BIGINT NOT NULL,
                version TEXT NOT NULL, is_given BIGINT NOT NULL, occasion TEXT NOT NULL, dialect TEXT, client_id TEXT,
                at BIGINT NOT NULL, PRIMARY KEY (directory_id, user_id, name, sequence),
                FOREIGN KEY (directory_id, user_id) REFERENCES users (directory_id, id) ON DELETE CASCADE)
            """,
            "CREATE INDEX agreements_time ON agreements (directory_id, user_id, at, name, sequence)",
        ])
}
