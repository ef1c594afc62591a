// SPDX-License-Identifier: Apache-2.0

// What the other server needs to serve again. It writes hashes that are sealed in our tables, so that only whoever has
// those can call it.
extension SchemaMirror {
    /// Functions of the way back.
    var wayBack: [String] {
        [
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_hand_back(own text, hash text) RETURNS void
            LANGUAGE plpgsql SECURITY DEFINER SET search_path = \(theirs), pg_temp AS $f$
            DECLARE
                before CONSTANT text := coalesce(current_setting('latchkey.mirrors', true), '');
            BEGIN
                PERFORM set_config('latchkey.mirrors', 'on', true);
                -- What has not changed since the mirror was installed may still stand there as it did then.
                PERFORM \(ours).mirror_user(own, NULL, false);
                PERFORM set_config('latchkey.mirrors', 'hand-back', true);
                UPDATE \(theirs).users mirrored SET encrypted_password = hash FROM \(ours).users u
                WHERE u.directory_id = \(directory) AND u.id = own
                    AND mirrored.id = \(ours).mirror_name(u.id, u.external_identifiers)
                    AND hash IS NOT NULL AND mirrored.encrypted_password IS DISTINCT FROM hash;
                PERFORM set_config('latchkey.mirrors', before, true);
            END
            $f$
            """,
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_hand_back_factor(own text, shown text) RETURNS void
            LANGUAGE plpgsql SECURITY DEFINER SET search_path = \(theirs), pg_temp AS $f$
            DECLARE
                before CONSTANT text := coalesce(current_setting('latchkey.mirrors', true), '');
            BEGIN
                PERFORM set_config('latchkey.mirrors', 'on', true);
                -- What came from there has kept its own.
                UPDATE \(theirs).mfa_factors SET secret = shown WHERE id = own::uuid AND secret IS NULL;
                PERFORM set_config('latchkey.mirrors', before, true);
            END
            $f$
            """,
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_hand_back_end() RETURNS void
            LANGUAGE plpgsql SECURITY DEFINER SET search_path = \(theirs), pg_temp AS $f$
            DECLARE
                before CONSTANT text := coalesce(current_setting('latchkey.mirrors', true), '');
            BEGIN
                PERFORM set_config('latchkey.mirrors', 'hand-back', true);
                -- What that server has given out before: what was used or taken back since would be good there.
                DELETE FROM \(theirs).refresh_tokens;
                DELETE FROM \(theirs).sessions;
                IF to_regclass('\(theirs).one_time_tokens') IS NOT NULL THEN DELETE FROM \(theirs).one_time_tokens; END IF;
                IF to_regclass('\(theirs).flow_state') IS NOT NULL THEN DELETE FROM \(theirs).flow_state; END IF;
                UPDATE \(theirs).users SET confirmation_token = '', recovery_token = '', email_change_token_new = '',
                    email_change_token_current = '', phone_change_token = '', reauthentication_token = ''
                WHERE concat(confirmation_token, recovery_token, email_change_token_new, email_change_token_current,
                    phone_change_token, reauthentication_token) <> '';
                PERFORM set_config('latchkey.mirrors', before, true);
            END
            $f$
            """,
        ]
    }
}
