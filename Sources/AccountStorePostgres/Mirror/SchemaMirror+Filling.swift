// SPDX-License-Identifier: Apache-2.0

// What brings rows there that were ours before the triggers were: asked and called by ``MirrorFill``.
extension SchemaMirror {
    /// Functions that find what is missing, and write it.
    var filling: [String] {
        [
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_missing(what text, after text, many integer)
            RETURNS TABLE (place text, is_missing boolean)
            LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = \(theirs), pg_temp AS $f$
            BEGIN
                -- Of the next rows those that are to be written, and how far that is. Each is looked for by its key, and
                -- none by a join, which would read the whole table there in each turn.
                IF what = 'user' THEN
                    RETURN QUERY SELECT seen.id, seen.absent FROM (
                        SELECT looked.id, lead(looked.id) OVER (ORDER BY looked.id) IS NULL AS ends,
                            (SELECT t.id FROM \(theirs).users t WHERE t.id = looked.shown) IS NULL AS absent
                        FROM (
                            SELECT u.id, \(ours).mirror_name(u.id, u.external_identifiers) AS shown
                            FROM \(ours).users u
                            WHERE u.directory_id = \(directory) AND u.id > after AND u.deleted_at IS NULL
                            ORDER BY u.id LIMIT many) looked) seen
                    WHERE seen.absent OR seen.ends ORDER BY seen.id;
                ELSIF what = 'session' THEN
                    RETURN QUERY SELECT seen.id, seen.absent FROM (
                        SELECT looked.id, lead(looked.id) OVER (ORDER BY looked.id) IS NULL AS ends,
                            CASE WHEN (SELECT t.id FROM \(theirs).sessions t WHERE t.id = looked.id::uuid) IS NULL
                                THEN (SELECT m.id FROM \(ours).mirror_sessions(looked.id, NULL) m) IS NOT NULL
                                ELSE false END AS absent
                        FROM (
                            SELECT s.id FROM \(ours).sessions s
                            WHERE s.directory_id = \(directory) AND s.id > after AND s.revoked_at IS NULL
                            ORDER BY s.id LIMIT many) looked) seen
                    WHERE seen.absent OR seen.ends ORDER BY seen.id;
                ELSIF what = 'factor' THEN
                    RETURN QUERY SELECT seen.id, seen.absent FROM (
                        SELECT looked.id, lead(looked.id) OVER (ORDER BY looked.id) IS NULL AS ends,
                            CASE WHEN (SELECT t.id FROM \(theirs).mfa_factors t WHERE t.id = looked.id::uuid) IS NULL
                                THEN (SELECT m.id FROM \(ours).mirror_factors(looked.id, NULL) m) IS NOT NULL
                                ELSE false END AS absent
                        FROM (
                            SELECT f.id FROM \(ours).factors f WHERE f.directory_id = \(directory) AND f.id > after
                            ORDER BY f.id LIMIT many) looked) seen
                    WHERE seen.absent OR seen.ends ORDER BY seen.id;
                ELSE
                    -- Sessions there that are none of ours: nobody can go on with those.
                    RETURN QUERY SELECT seen.id::text, seen.absent FROM (
                        SELECT looked.id, lead(looked.id) OVER (ORDER BY looked.id) IS NULL AS ends,
                            (SELECT s.id FROM \(ours).sessions s WHERE s.id = looked.id::text
                                AND s.directory_id = \(directory) AND s.revoked_at IS NULL) IS NULL AS absent
                        FROM (
                            SELECT t.id FROM \(theirs).sessions t
                            WHERE t.id > coalesce(nullif(after, ''), '00000000-0000-0000-0000-000000000000')::uuid
                            ORDER BY t.id LIMIT many) looked) seen
                    WHERE seen.absent OR seen.ends ORDER BY seen.id;
                END IF;
            END
            $f$
            """,
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_fill(what text, list text) RETURNS void
            LANGUAGE plpgsql SECURITY DEFINER SET search_path = \(theirs), pg_temp AS $f$
            DECLARE
                before CONSTANT text := coalesce(current_setting('latchkey.mirrors', true), '');
                own text;
            BEGIN
                PERFORM set_config('latchkey.mirrors', 'on', true);
                -- As they are by now: each of these writes what is to be there, or takes away what is not.
                FOR own IN SELECT jsonb_array_elements_text(list::jsonb) LOOP
                    IF what = 'user' THEN
                        PERFORM \(ours).mirror_user(own, NULL, false);
                    ELSIF what = 'session' THEN
                        PERFORM \(ours).mirror_session(own);
                    ELSIF what = 'factor' THEN
                        PERFORM \(ours).mirror_factor(own);
                    ELSE
                        DELETE FROM \(theirs).sessions t WHERE t.id = own::uuid AND NOT EXISTS (
                            SELECT FROM \(ours).sessions s
                            WHERE s.id = own AND s.directory_id = \(directory) AND s.revoked_at IS NULL);
                    END IF;
                END LOOP;
                PERFORM set_config('latchkey.mirrors', before, true);
            END
            $f$
            """,
        ]
    }
}
