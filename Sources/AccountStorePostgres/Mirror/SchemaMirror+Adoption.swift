// SPDX-License-Identifier: Apache-2.0

// What others write into the other server's users, an app's triggers among them: what ours have a place for is theirs
// from then on, and all else is refused, since the user's next change would take it away.
extension SchemaMirror {
    /// Functions that look at each row of a user that was written there.
    var adoption: [String] {
        [
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_adopted(held jsonb, wanted jsonb, written jsonb, fixed text[])
            RETURNS jsonb
            LANGUAGE sql IMMUTABLE AS $f$
                -- Member by member: what came from elsewhere and stayed as it was is nobody's word.
                SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM (
                    SELECT key, CASE WHEN key <> ALL (fixed) AND written -> key IS DISTINCT FROM wanted -> key
                        THEN written -> key ELSE held -> key END value
                    FROM (SELECT jsonb_object_keys(held || coalesce(written, '{}')) key) keys) members
                WHERE value IS NOT NULL AND value <> 'null'
            $f$
            """,
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_adopt() RETURNS trigger
            LANGUAGE plpgsql SECURITY DEFINER SET search_path = \(theirs), pg_temp AS $f$
            DECLARE
                u \(ours).users%ROWTYPE;
                wanted \(theirs).users%ROWTYPE;
                stands jsonb;
                own CONSTANT boolean := coalesce(current_setting('latchkey.mirrors', true), '') = 'on';
                written text[];
                refused text;
            BEGIN
                IF current_setting('latchkey.mirrors', true) = 'hand-back' THEN RETURN NULL; END IF;
                SELECT * INTO u FROM \(ours).users WHERE directory_id = \(directory) AND (
                    id = new.id::text OR id = (
                        SELECT user_id FROM \(ours).user_identifiers
                        WHERE directory_id = \(directory) AND identifier = new.id::text));
                wanted := \(ours).mirror_wanted(u, new);
                -- What another trigger has written since was looked at before this: taken for the last word, this would undo it.
                SELECT to_jsonb(users) INTO stands FROM \(theirs).users WHERE id = new.id;
                IF tg_op = 'INSERT' THEN
                    SELECT array_agg(cells.key) INTO written FROM jsonb_each(to_jsonb(new)) cells
                    WHERE cells.value = stands -> cells.key
                        AND cells.value IS DISTINCT FROM to_jsonb(wanted) -> cells.key;
                ELSE
                    SELECT array_agg(cells.key) INTO written FROM jsonb_each(to_jsonb(new)) cells
                    WHERE cells.value = stands -> cells.key
                        AND cells.value IS DISTINCT FROM to_jsonb(old) -> cells.key
                        AND (NOT own OR cells.value IS DISTINCT FROM to_jsonb(wanted) -> cells.key);
                END IF;
                IF written IS NULL THEN RETURN NULL; END IF;
                SELECT string_agg(key, ', ') INTO refused FROM unnest(written) key
                WHERE key NOT IN ('raw_app_meta_data', 'raw_user_meta_data', 'banned_until', 'updated_at')
                    OR key = 'raw_app_meta_data' AND (
                        new.raw_app_meta_data -> 'provider' IS DISTINCT FROM wanted.raw_app_meta_data -> 'provider'
                        OR new.raw_app_meta_data -> 'providers'
                            IS DISTINCT FROM wanted.raw_app_meta_data -> 'providers');
                IF refused IS NOT NULL OR u.id IS NULL THEN
                    RAISE EXCEPTION '% of %.% is written by Latchkey alone, from its own tables',
                            refused, tg_table_schema, tg_table_name
                        USING ERRCODE = '42501',
                            HINT = 'Change users by the API (/admin/users) or by `latchkey user`.';
                END IF;
                -- As it is by now: others may have changed it meanwhile.
                SELECT * INTO u FROM \(ours).users WHERE directory_id = \(directory) AND id = u.id FOR UPDATE;
                wanted := \(ours).mirror_wanted(u, new);
                UPDATE \(ours).users SET
                    app_metadata = CASE WHEN 'raw_app_meta_data' = ANY (written)
                        THEN \(ours).mirror_adopted(\(ours).mirror_json(\(appMetadata)), wanted.raw_app_meta_data,
                            new.raw_app_meta_data, ARRAY['provider', 'providers'])::text ELSE app_metadata END,
                    user_metadata = CASE WHEN 'raw_user_meta_data' = ANY (written)
                        THEN \(ours).mirror_adopted(\(ours).mirror_json(u.user_metadata), wanted.raw_user_meta_data,
                            new.raw_user_meta_data, ARRAY['email_verified'])::text ELSE user_metadata END,
                    banned_until = CASE WHEN 'banned_until' = ANY (written)
                        THEN (extract(epoch FROM new.banned_until) * 1000000)::bigint ELSE banned_until END,
                    updated_at = CASE WHEN 'updated_at' = ANY (written)
                        THEN (extract(epoch FROM new.updated_at) * 1000000)::bigint ELSE updated_at END,
                    version = version + 1
                WHERE directory_id = \(directory) AND id = u.id;
                RETURN NULL;
            END
            $f$
            """,
        ]
    }
}
