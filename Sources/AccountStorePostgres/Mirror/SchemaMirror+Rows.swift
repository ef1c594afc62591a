// SPDX-License-Identifier: Apache-2.0

// What a row of ours is among the other server's.
extension SchemaMirror {
    /// Functions that say what should stand there.
    var rows: [String] {
        [
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_hides_email(u \(ours).users) RETURNS boolean
            LANGUAGE sql STABLE AS $f$
                -- Known by a provider alone: the address that it passed on is no way of signing in.
                SELECT u.password_hash IS NULL
                    AND EXISTS (
                        SELECT FROM \(ours).identities
                        WHERE directory_id = \(directory) AND user_id = u.id AND provider NOT IN ('email', 'phone'))
                    AND NOT EXISTS (
                        SELECT FROM \(ours).identities
                        WHERE directory_id = \(directory) AND user_id = u.id AND provider = 'email'
                            AND (last_sign_in_at IS NOT NULL OR updated_at <> created_at))
            $f$
            """,
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_metadata(u \(ours).users) RETURNS jsonb
            LANGUAGE plpgsql STABLE AS $f$
            DECLARE
                metadata jsonb := '{}';
                identity record;
            BEGIN
                -- The provider that was used last has the say, and users themselves have the last word.
                FOR identity IN
                    SELECT provider, \(ours).mirror_identity(provider, subject, \(ours).mirror_json(data)) said
                    FROM \(ours).identities
                    WHERE directory_id = \(directory) AND user_id = u.id AND provider NOT IN ('email', 'phone')
                    ORDER BY coalesce(last_sign_in_at, created_at), created_at, id
                LOOP
                    IF octet_length((identity.said -> 'custom_claims')::text) > 4096 THEN
                        identity.said := identity.said - 'custom_claims';
                    END IF;
                    metadata := \(ours).mirror_merged(metadata, identity.said);
                END LOOP;
                metadata := \(ours).mirror_merged(metadata, \(ours).mirror_json(u.user_metadata));
                IF u.email_verified_at IS NOT NULL OR jsonb_exists(metadata, 'email_verified') THEN
                    metadata := metadata || jsonb_build_object('email_verified', u.email_verified_at IS NOT NULL);
                END IF;
                RETURN metadata;
            END
            $f$
            """,
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_app_metadata(u \(ours).users) RETURNS jsonb
            LANGUAGE plpgsql STABLE AS $f$
            DECLARE
                metadata jsonb := \(ours).mirror_json(\(appMetadata));
                hides_email CONSTANT boolean := \(ours).mirror_hides_email(u);
            BEGIN
                IF jsonb_typeof(metadata -> 'provider') = 'string' THEN
                    metadata := metadata
                        || jsonb_build_object('provider', \(ours).mirror_provider(metadata ->> 'provider'));
                END IF;
                IF jsonb_typeof(metadata -> 'providers') = 'array' THEN
                    metadata := metadata || jsonb_build_object('providers', (
                        SELECT coalesce(jsonb_agg(\(ours).mirror_provider(value #>> '{}') ORDER BY place), '[]')
                        FROM jsonb_array_elements(metadata -> 'providers') WITH ORDINALITY named (value, place)
                        WHERE jsonb_typeof(value) = 'string' AND NOT (hides_email AND value = '"email"')));
                END IF;
                RETURN metadata;
            END
            $f$
            """,
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_wanted(u \(ours).users, was \(theirs).users)
            RETURNS \(theirs).users
            LANGUAGE plpgsql STABLE AS $f$
            DECLARE
                wanted \(theirs).users%ROWTYPE := was;
            BEGIN
                wanted.role := coalesce(u.role, 'authenticated');
                -- Where several have one address, they are let have it as those of an organisation's own provider are.
                wanted.is_sso_user := coalesce(was.is_sso_user, false) OR u.email_holder <> '';
                wanted.email := u.email;
                wanted.email_confirmed_at := \(ours).mirror_time(u.email_verified_at);
                wanted.invited_at := \(ours).mirror_time(u.invited_at);
                wanted.confirmation_sent_at := \(ours).mirror_time(u.sent_confirmation);
                wanted.recovery_sent_at := \(ours).mirror_time(u.sent_recovery);
                wanted.email_change := coalesce(u.pending_email, '');
                wanted.email_change_sent_at := \(ours).mirror_time(u.sent_email_change);
                wanted.email_change_confirm_status := u.pending_email_half_confirmed;
                wanted.phone := CASE WHEN u.phone_holder = '' THEN u.phone END;
                wanted.phone_confirmed_at := \(ours).mirror_time(u.phone_verified_at);
                wanted.phone_change := coalesce(u.pending_phone, '');
                wanted.phone_change_sent_at := \(ours).mirror_time(u.sent_phone_change);
                wanted.reauthentication_sent_at := \(ours).mirror_time(u.sent_reauthentication);
                wanted.last_sign_in_at := \(ours).mirror_time(u.last_sign_in_at);
                wanted.raw_app_meta_data := \(ours).mirror_app_metadata(u);
                wanted.raw_user_meta_data := \(ours).mirror_metadata(u);
                wanted.created_at := \(ours).mirror_time(u.created_at);
                wanted.updated_at := \(ours).mirror_time(u.updated_at);
                wanted.banned_until := \(ours).mirror_time(u.banned_until);
                wanted.deleted_at := \(ours).mirror_time(u.deleted_at);
                wanted.is_anonymous := u.is_anonymous <> 0;
                -- Of a password's hash nothing is said here, and none is left of one that is gone.
                IF u.password_hash IS NULL AND was.encrypted_password <> '' THEN
                    wanted.encrypted_password := '';
                END IF;
                RETURN wanted;
            END
            $f$
            """,
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_identities(own text, shown uuid, hides_email boolean)
            RETURNS TABLE (
                id uuid, user_id uuid, provider text, provider_id text, identity_data jsonb,
                last_sign_in_at timestamptz, created_at timestamptz, updated_at timestamptz)
            LANGUAGE sql STABLE AS $f$
                -- Of an address or a number the subject is the user, which an empty one stands for.
                SELECT ours.id::uuid, shown, \(ours).mirror_provider(ours.provider),
                    CASE WHEN ours.subject IN ('', own) THEN shown::text ELSE ours.subject END,
                    said.data
                        || CASE WHEN ours.subject = '' OR said.data ->> 'sub' = own
                            THEN jsonb_build_object('sub', shown) ELSE '{}' END,
                    \(ours).mirror_time(ours.last_sign_in_at), \(ours).mirror_time(ours.created_at),
                    \(ours).mirror_time(ours.updated_at)
                FROM \(ours).identities ours, LATERAL (
                    SELECT CASE WHEN ours.provider IN ('email', 'phone') THEN \(ours).mirror_json(ours.data)
                        ELSE \(ours).mirror_identity(ours.provider, ours.subject, \(ours).mirror_json(ours.data)) END
                    ) said (data)
                WHERE ours.directory_id = \(directory) AND ours.user_id = own
                    AND NOT (hides_email AND ours.provider = 'email')
            $f$
            """,
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_sessions(own text, of_user text) RETURNS TABLE (
                id uuid, user_id uuid, created_at timestamptz, updated_at timestamptz, factor_id uuid,
                aal \(theirs).aal_level, not_after timestamptz, refreshed_at timestamp, user_agent text, ip inet)
            LANGUAGE sql STABLE AS $f$
                SELECT ours.id::uuid, \(ours).mirror_name(u.id, u.external_identifiers),
                    \(ours).mirror_time(ours.created_at), \(ours).mirror_time(ours.last_active_at),
                    substring(ours.methods FROM '.*#([-0-9a-f]{36}) ')::uuid,
                    ('aal' || ours.assurance)::\(theirs).aal_level, \(ours).mirror_time(ours.not_after),
                    CASE WHEN ours.last_active_at > ours.created_at
                        THEN \(ours).mirror_time(ours.last_active_at) AT TIME ZONE 'UTC' END,
                    ours.device_user_agent, \(ours).mirror_address(ours.device_address)
                FROM \(ours).sessions ours
                JOIN \(ours).users u ON u.directory_id = ours.directory_id AND u.id = ours.user_id
                WHERE ours.directory_id = \(directory) AND (ours.id = own OR ours.user_id = of_user)
                    AND ours.revoked_at IS NULL AND u.deleted_at IS NULL
            $f$
            """,
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_factors(own text, of_user text) RETURNS TABLE (
                id uuid, user_id uuid, friendly_name text, factor_type \(theirs).factor_type,
                status \(theirs).factor_status, created_at timestamptz, updated_at timestamptz, phone text)
            LANGUAGE sql STABLE AS $f$
                -- What a policy asks for: which there are, and not what they are proved by. Passkeys are none of them.
                SELECT ours.id::uuid, \(ours).mirror_name(u.id, u.external_identifiers), coalesce(ours.name, ''),
                    ours.kind::\(theirs).factor_type,
                    (CASE WHEN ours.verified_at IS NULL THEN 'unverified' ELSE 'verified' END)::\(theirs).factor_status,
                    \(ours).mirror_time(ours.created_at), \(ours).mirror_time(ours.updated_at),
                    CASE ours.kind WHEN 'phone' THEN ltrim(ours.recipient, '+') END
                FROM \(ours).factors ours
                JOIN \(ours).users u ON u.directory_id = ours.directory_id AND u.id = ours.user_id
                WHERE ours.directory_id = \(directory) AND (ours.id = own OR ours.user_id = of_user)
                    AND u.deleted_at IS NULL AND ours.is_enabled = 1 AND ours.kind IN ('totp', 'phone', 'webauthn')
                    AND NOT (ours.kind = 'webauthn'
                        AND coalesce(\(ours).mirror_json(ours.details) ->> 'use' = 'sign_in', false))
            $f$
            """,
        ]
    }
}
