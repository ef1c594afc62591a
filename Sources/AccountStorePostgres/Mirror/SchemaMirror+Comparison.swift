// SPDX-License-Identifier: Apache-2.0

// Whether both say the same.
extension SchemaMirror {
    /// Functions that change nothing.
    var comparison: [String] {
        [
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_differences(after text, many integer)
            RETURNS TABLE (looked_at text, kind text, row_id text, how text)
            LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = \(theirs), pg_temp AS $f$
            DECLARE
                u \(ours).users%ROWTYPE;
                was \(theirs).users%ROWTYPE;
                shown uuid;
                is_there boolean;
            BEGIN
                FOR u IN
                    SELECT * FROM \(ours).users WHERE directory_id = \(directory) AND id > after ORDER BY id LIMIT many
                LOOP
                    looked_at := u.id;
                    shown := \(ours).mirror_name(u.id, u.external_identifiers);
                    SELECT * INTO was FROM \(theirs).users WHERE id = shown;
                    is_there := FOUND;
                    IF u.deleted_at IS NOT NULL AND NOT is_there THEN CONTINUE; END IF;
                    kind := 'user';
                    row_id := shown;
                    IF NOT is_there THEN
                        how := 'missing';
                        RETURN NEXT;
                        CONTINUE;
                    END IF;
                    FOR how IN
                        SELECT cells.key FROM jsonb_each(to_jsonb(\(ours).mirror_wanted(u, was))) cells,
                            LATERAL (SELECT to_jsonb(was) -> cells.key) there (value)
                        WHERE cells.value IS DISTINCT FROM there.value
                            -- Rows that were taken over, and changed by nobody since, say the same in other words.
                            AND NOT (cells.value = '""' AND there.value = 'null')
                            AND NOT (cells.key = 'raw_user_meta_data'
                                AND NOT jsonb_exists(coalesce(was.raw_user_meta_data, '{}'), 'email_verified')
                                AND cells.value - 'email_verified' = coalesce(was.raw_user_meta_data, '{}'))
                    LOOP
                        RETURN NEXT;
                    END LOOP;
                    kind := 'identity';
                    FOR row_id, how IN
                        SELECT coalesce(ours.id, mirrored.id), CASE WHEN mirrored.id IS NULL THEN 'missing'
                            WHEN ours.id IS NULL THEN 'left over' ELSE 'different' END
                        FROM \(ours).mirror_identities(u.id, shown, \(ours).mirror_hides_email(u)) ours
                        FULL JOIN (SELECT * FROM \(theirs).identities WHERE user_id = shown) mirrored
                            ON mirrored.id = ours.id
                        WHERE (mirrored.id, mirrored.provider, mirrored.provider_id, mirrored.identity_data,
                                mirrored.last_sign_in_at, mirrored.created_at, mirrored.updated_at)
                            IS DISTINCT FROM (ours.id, ours.provider, ours.provider_id, ours.identity_data,
                                ours.last_sign_in_at, ours.created_at, ours.updated_at)
                    LOOP
                        RETURN NEXT;
                    END LOOP;
                    kind := 'session';
                    FOR row_id, how IN
                        SELECT coalesce(ours.id, mirrored.id), CASE WHEN mirrored.id IS NULL THEN 'missing'
                            WHEN ours.id IS NULL THEN 'left over' ELSE 'different' END
                        FROM \(ours).mirror_sessions(NULL, u.id) ours
                        FULL JOIN (SELECT * FROM \(theirs).sessions WHERE user_id = shown) mirrored
                            ON mirrored.id = ours.id
                        WHERE (mirrored.id, mirrored.aal, mirrored.not_after, mirrored.updated_at)
                            IS DISTINCT FROM (ours.id, ours.aal, ours.not_after, ours.updated_at)
                    LOOP
                        RETURN NEXT;
                    END LOOP;
                    kind := 'factor';
                    FOR row_id, how IN
                        SELECT coalesce(ours.id, mirrored.id), CASE WHEN mirrored.id IS NULL THEN 'missing'
                            WHEN ours.id IS NULL THEN 'left over' ELSE 'different' END
                        FROM \(ours).mirror_factors(NULL, u.id) ours
                        FULL JOIN (SELECT * FROM \(theirs).mfa_factors WHERE user_id = shown) mirrored
                            ON mirrored.id = ours.id
                        WHERE (mirrored.id, mirrored.factor_type, mirrored.status, mirrored.phone)
                            IS DISTINCT FROM (ours.id, ours.factor_type, ours.status, ours.phone)
                    LOOP
                        RETURN NEXT;
                    END LOOP;
                END LOOP;
                -- How far it is.
                kind := NULL;
                row_id := NULL;
                how := NULL;
                RETURN NEXT;
            END
            $f$
            """,
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_left_over(many integer) RETURNS SETOF uuid
            LANGUAGE sql STABLE SECURITY DEFINER SET search_path = \(theirs), pg_temp AS $f$
                SELECT there.id FROM \(theirs).users there WHERE there.deleted_at IS NULL AND NOT EXISTS (
                    SELECT FROM \(ours).users u WHERE u.directory_id = \(directory)
                        AND \(ours).mirror_name(u.id, u.external_identifiers) = there.id)
                ORDER BY there.id LIMIT many
            $f$
            """,
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_counts() RETURNS TABLE (kind text, ours bigint, mirrored bigint)
            LANGUAGE sql STABLE SECURITY DEFINER SET search_path = \(theirs), pg_temp AS $f$
                SELECT 'user',
                    (SELECT count(*) FROM \(ours).users WHERE directory_id = \(directory) AND deleted_at IS NULL),
                    (SELECT count(*) FROM \(theirs).users WHERE deleted_at IS NULL)
                UNION ALL
                SELECT 'session', (
                        SELECT count(*) FROM \(ours).sessions ours JOIN \(ours).users u
                            ON u.directory_id = ours.directory_id AND u.id = ours.user_id
                        WHERE ours.directory_id = \(directory) AND ours.revoked_at IS NULL AND u.deleted_at IS NULL),
                    (SELECT count(*) FROM \(theirs).sessions)
            $f$
            """,
        ]
    }
}
