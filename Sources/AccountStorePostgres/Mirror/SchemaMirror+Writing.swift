// SPDX-License-Identifier: Apache-2.0

// What writes the other server's rows, once a transaction has said all it has to say.
extension SchemaMirror {
    /// Functions that write, and the triggers' own.
    var writing: [String] {
        [
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_passes(state text) RETURNS boolean
            LANGUAGE sql IMMUTABLE AS $f$
                SELECT left(state, 2) IN ('08', '25', '40', '53', '54', '55', '57', '58', 'XX')
            $f$
            """,
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_refusal(act text, state text, message text) RETURNS void
            LANGUAGE plpgsql SET search_path = pg_catalog AS $f$
            BEGIN
                -- What passes, and what is to be run again, stays what it is.
                IF \(ours).mirror_passes(state) THEN
                    RAISE EXCEPTION '%', message USING ERRCODE = state;
                END IF;
                RAISE EXCEPTION '%', message USING DETAIL = state, ERRCODE =
                    CASE act WHEN 'INSERT' THEN 'LK001' WHEN 'UPDATE' THEN 'LK002' ELSE 'LK003' END;
            END
            $f$
            """,
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_user(own text, name uuid, forgets_password boolean) RETURNS void
            LANGUAGE plpgsql AS $f$
            DECLARE
                u \(ours).users%ROWTYPE;
                shown uuid := name;
                was \(theirs).users%ROWTYPE;
                wanted \(theirs).users%ROWTYPE;
                is_there boolean;
                hides_email boolean;
                act text;
                changed text;
                state text;
                message text;
            BEGIN
                SELECT * INTO u FROM \(ours).users WHERE directory_id = \(directory) AND id = own;
                IF shown IS NULL THEN
                    -- Of an identity whose user is gone, which is told of by the user's row.
                    IF u.id IS NULL THEN RETURN; END IF;
                    shown := \(ours).mirror_name(u.id, u.external_identifiers);
                END IF;
                SELECT * INTO was FROM \(theirs).users WHERE id = shown;
                is_there := FOUND;
                IF u.id IS NULL OR u.deleted_at IS NOT NULL AND EXISTS (
                    SELECT FROM \(ours).erasures WHERE directory_id = \(directory) AND user_id = own AND keeps_row = 0)
                THEN
                    BEGIN
                        DELETE FROM \(theirs).users WHERE id = shown;
                    EXCEPTION WHEN OTHERS THEN
                        GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT;
                        -- An app's rows hold on to somebody who was over before: what is left says nothing of them.
                        IF u.id IS NULL AND was.deleted_at IS NOT NULL AND NOT \(ours).mirror_passes(state) THEN
                            RETURN;
                        END IF;
                        PERFORM \(ours).mirror_refusal('DELETE', state, message);
                    END;
                    RETURN;
                END IF;
                -- One who stands for nobody, or was over before anybody looked.
                IF u.deleted_at IS NOT NULL AND NOT is_there THEN RETURN; END IF;
                hides_email := \(ours).mirror_hides_email(u);
                wanted := \(ours).mirror_wanted(u, was);
                IF forgets_password AND was.encrypted_password <> '' THEN wanted.encrypted_password := ''; END IF;
                BEGIN
                    IF is_there THEN
                        act := 'UPDATE';
                        -- Those columns alone, since triggers of an app's may wait for one of them.
                        SELECT string_agg(format('%1$I = ($2).%1$I', cells.key), ', ') INTO changed
                        FROM jsonb_each(to_jsonb(wanted)) cells
                        WHERE cells.value IS DISTINCT FROM to_jsonb(was) -> cells.key;
                        IF changed IS NOT NULL THEN
                            EXECUTE 'UPDATE \(theirs).users SET ' || changed || ' WHERE id = $1' USING shown, wanted;
                        END IF;
                    ELSE
                        act := 'INSERT';
                        -- Where nothing was sent there are empty texts: its own server can't read what is null there.
                        INSERT INTO \(theirs).users (
                            instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, invited_at,
                            confirmation_token, confirmation_sent_at, recovery_token, recovery_sent_at,
                            email_change_token_new, email_change, email_change_sent_at, email_change_token_current,
                            email_change_confirm_status, phone, phone_confirmed_at, phone_change, phone_change_token,
                            phone_change_sent_at, reauthentication_token, reauthentication_sent_at, last_sign_in_at,
                            raw_app_meta_data, raw_user_meta_data, created_at, updated_at, banned_until, is_sso_user,
                            is_anonymous)
                        VALUES (
                            '00000000-0000-0000-0000-000000000000', shown, (
                                SELECT coalesce(settings::jsonb ->> 'audience', 'authenticated')
                                FROM \(ours).directories WHERE id = \(directory)),
                            wanted.role, wanted.email, '', wanted.email_confirmed_at, wanted.invited_at, '',
                            wanted.confirmation_sent_at, '', wanted.recovery_sent_at, '', wanted.email_change,
                            wanted.email_change_sent_at, '', wanted.email_change_confirm_status, wanted.phone,
                            wanted.phone_confirmed_at, wanted.phone_change, '', wanted.phone_change_sent_at, '',
                            wanted.reauthentication_sent_at, wanted.last_sign_in_at, wanted.raw_app_meta_data,
                            wanted.raw_user_meta_data, wanted.created_at, wanted.updated_at, wanted.banned_until,
                            wanted.is_sso_user, wanted.is_anonymous)
                        -- While the tables are filled two may come to one user: what the other has written is no
                        -- refusal, and this transaction, which does not see it, is one to be run again (40001).
                        ON CONFLICT (id) DO NOTHING;
                    END IF;
                    act := 'UPDATE';
                    DELETE FROM \(theirs).identities mirrored WHERE mirrored.user_id = shown AND NOT EXISTS (
                        SELECT FROM \(ours).mirror_identities(own, shown, hides_email) ours
                        WHERE ours.id = mirrored.id);
                    INSERT INTO \(theirs).identities AS mirrored
                        (id, user_id, provider, provider_id, identity_data, last_sign_in_at, created_at, updated_at)
                    SELECT id, user_id, provider, provider_id, identity_data, last_sign_in_at, created_at, updated_at
                    FROM \(ours).mirror_identities(own, shown, hides_email) ours
                    WHERE NOT EXISTS (
                        SELECT FROM \(theirs).identities same WHERE same.id = ours.id
                            AND (same.user_id, same.provider, same.provider_id, same.identity_data,
                                same.last_sign_in_at, same.created_at, same.updated_at)
                            IS NOT DISTINCT FROM (ours.user_id, ours.provider, ours.provider_id, ours.identity_data,
                                ours.last_sign_in_at, ours.created_at, ours.updated_at))
                    ON CONFLICT (id) DO UPDATE SET user_id = excluded.user_id, provider = excluded.provider,
                        provider_id = excluded.provider_id, identity_data = excluded.identity_data,
                        last_sign_in_at = excluded.last_sign_in_at, created_at = excluded.created_at,
                        updated_at = excluded.updated_at;
                EXCEPTION WHEN OTHERS THEN
                    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT;
                    PERFORM \(ours).mirror_refusal(act, state, message);
                END;
            END
            $f$
            """,
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_owner(own text, shown uuid) RETURNS void
            LANGUAGE plpgsql AS $f$
            BEGIN
                -- Whom the filling has not come to yet is there before what hangs on them.
                PERFORM FROM \(theirs).users WHERE id = shown;
                IF NOT FOUND THEN PERFORM \(ours).mirror_user(own, NULL, false); END IF;
            END
            $f$
            """,
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_session(own text) RETURNS void
            LANGUAGE plpgsql AS $f$
            DECLARE
                ours record;
                state text;
                message text;
            BEGIN
                SELECT * INTO ours FROM \(ours).mirror_sessions(own, NULL);
                IF NOT FOUND THEN
                    DELETE FROM \(theirs).sessions WHERE id = own::uuid;
                    RETURN;
                END IF;
                UPDATE \(theirs).sessions SET updated_at = ours.updated_at, refreshed_at = ours.refreshed_at,
                    aal = ours.aal, factor_id = ours.factor_id, not_after = ours.not_after,
                    user_agent = ours.user_agent, ip = ours.ip
                WHERE id = ours.id;
                IF NOT FOUND THEN
                    PERFORM \(ours).mirror_owner(s.user_id, ours.user_id) FROM \(ours).sessions s WHERE s.id = own;
                    INSERT INTO \(theirs).sessions
                        (id, user_id, created_at, updated_at, factor_id, aal, not_after, refreshed_at, user_agent, ip)
                    VALUES (ours.id, ours.user_id, ours.created_at, ours.updated_at, ours.factor_id, ours.aal,
                        ours.not_after, ours.refreshed_at, ours.user_agent, ours.ip)
                    ON CONFLICT (id) DO NOTHING;
                END IF;
            EXCEPTION WHEN OTHERS THEN
                GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT;
                PERFORM \(ours).mirror_refusal('UPDATE', state, message);
            END
            $f$
            """,
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_factor(own text) RETURNS void
            LANGUAGE plpgsql AS $f$
            DECLARE
                ours record;
                state text;
                message text;
            BEGIN
                SELECT * INTO ours FROM \(ours).mirror_factors(own, NULL);
                IF NOT FOUND THEN
                    DELETE FROM \(theirs).mfa_factors WHERE id = own::uuid;
                    RETURN;
                END IF;
                UPDATE \(theirs).mfa_factors SET friendly_name = ours.friendly_name, status = ours.status,
                    updated_at = ours.updated_at, phone = ours.phone
                WHERE id = ours.id;
                IF NOT FOUND THEN
                    PERFORM \(ours).mirror_owner(f.user_id, ours.user_id) FROM \(ours).factors f WHERE f.id = own;
                    INSERT INTO \(theirs).mfa_factors
                        (id, user_id, friendly_name, factor_type, status, created_at, updated_at, phone)
                    VALUES (ours.id, ours.user_id, ours.friendly_name, ours.factor_type, ours.status,
                        ours.created_at, ours.updated_at, ours.phone)
                    ON CONFLICT (id) DO NOTHING;
                END IF;
            EXCEPTION WHEN OTHERS THEN
                GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT;
                PERFORM \(ours).mirror_refusal('UPDATE', state, message);
            END
            $f$
            """,
            changed(
                "user",
                """
                IF tg_op = 'DELETE' THEN
                    PERFORM \(ours).mirror_user(old.id, \(ours).mirror_name(old.id, old.external_identifiers), false);
                ELSE
                    PERFORM \(ours).mirror_user(new.id, \(ours).mirror_name(new.id, new.external_identifiers),
                        tg_op = 'UPDATE' AND (new.password_hash IS NULL
                            OR old.password_changed_at IS DISTINCT FROM new.password_changed_at));
                END IF;
                """),
            changed("identity", "PERFORM \(ours).mirror_user(coalesce(new.user_id, old.user_id), NULL, false);"),
            changed("session", "PERFORM \(ours).mirror_session(coalesce(new.id, old.id));"),
            changed("factor", "PERFORM \(ours).mirror_factor(coalesce(new.id, old.id));"),
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_guard() RETURNS trigger
            LANGUAGE plpgsql SET search_path = pg_catalog AS $f$
            BEGIN
                IF coalesce(current_setting('latchkey.mirrors', true), '') NOT IN ('on', 'hand-back') THEN
                    RAISE EXCEPTION '%.% is written by Latchkey alone, from its own tables',
                            tg_table_schema, tg_table_name
                        USING ERRCODE = '42501',
                            HINT = 'Change users by the API (/admin/users) or by `latchkey user`.';
                END IF;
                RETURN NULL;
            END
            $f$
            """,
        ]
    }

    /// The function that a trigger calls when a row of ours has changed.
    ///
    /// - Parameters:
    ///   - what: a row of its table is.
    ///   - statements: that write what becomes of it.
    private func changed(_ what: String, _ statements: String) -> String {
        """
        CREATE OR REPLACE FUNCTION \(ours).mirror_changed_\(what)() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = \(theirs), pg_temp AS $f$
        DECLARE
            -- One may run within another: an app's trigger makes deferred ones immediate, and writes what is adopted.
            before CONSTANT text := coalesce(current_setting('latchkey.mirrors', true), '');
        BEGIN
            PERFORM set_config('latchkey.mirrors', 'on', true);
            \(statements)
            PERFORM set_config('latchkey.mirrors', before, true);
            RETURN NULL;
        END
        $f$
        """
    }
}
