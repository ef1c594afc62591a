// SPDX-License-Identifier: Apache-2.0

// What a value of ours is among the other server's: what the dialect of its clients answers with stands there.
extension SchemaMirror {
    /// Functions of one value.
    var values: [String] {
        [
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_time(at bigint) RETURNS timestamptz
            LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $f$
                -- No date format knows more than four digits of a year.
                SELECT timestamptz '1970-01-01 00:00:00+00'
                    + least(greatest(at, -62135596800000000), 253402300799999999) * interval '1 microsecond'
            $f$
            """,
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_json(written text) RETURNS jsonb
            LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog AS $f$
            BEGIN
                RETURN written::jsonb;
            EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
                -- A NUL character, half a surrogate pair, a number beyond all: the caller's fault.
                RAISE EXCEPTION 'metadata that no column takes' USING ERRCODE = '22P05';
            END
            $f$
            """,
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_address(written text) RETURNS inet
            LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog AS $f$
            BEGIN
                RETURN written::inet;
            EXCEPTION WHEN data_exception THEN
                RETURN NULL;
            END
            $f$
            """,
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_merged(base jsonb, changes jsonb) RETURNS jsonb
            LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $f$
                -- A member that is null takes one away.
                SELECT coalesce(jsonb_object_agg(key, value) FILTER (WHERE value <> 'null'::jsonb), '{}'::jsonb)
                FROM jsonb_each(base || changes)
            $f$
            """,
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_provider(name text) RETURNS text
            LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $f$
                SELECT CASE name WHEN 'microsoft' THEN 'azure' ELSE name END
            $f$
            """,
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_identity(provider text, subject text, claims jsonb) RETURNS jsonb
            LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog AS $f$
            DECLARE
                profile CONSTANT text[] := ARRAY['name', 'family_name', 'given_name', 'middle_name', 'nickname',
                    'preferred_username', 'profile', 'website', 'gender', 'birthdate', 'zoneinfo', 'locale',
                    'updated_at'];
                standard CONSTANT text[] := ARRAY['sub', 'email', 'email_verified', 'phone_number',
                    'phone_number_verified', 'phone_verified', 'picture', 'avatar_url'];
                token CONSTANT text[] := ARRAY['iss', 'aud', 'azp', 'exp', 'iat', 'nbf', 'jti', 'nonce',
                    'nonce_supported', 'at_hash', 'c_hash', 's_hash', 'auth_time', 'acr', 'amr', 'sid', 'aio', 'rh',
                    'uti', 'ver'];
                made jsonb;
                said jsonb;
                full_name text;
                picture text;
                custom jsonb := '{}';
            BEGIN
                -- Brought along in this form.
                IF jsonb_exists(claims, 'provider_id') THEN
                    RETURN claims;
                END IF;
                SELECT coalesce(jsonb_object_agg(key, value), '{}') INTO said
                FROM jsonb_each(claims) WHERE value NOT IN ('null', '""');
                SELECT jsonb_build_object('sub', subject) || coalesce(jsonb_object_agg(key, value), '{}') INTO made
                FROM jsonb_each(said) WHERE key = 'iss' OR key = ANY (profile);
                full_name := coalesce(
                    CASE WHEN jsonb_typeof(said -> 'name') = 'string' THEN said ->> 'name' END,
                    nullif(concat_ws(' ',
                        CASE WHEN jsonb_typeof(said -> 'given_name') = 'string' THEN said ->> 'given_name' END,
                        CASE WHEN jsonb_typeof(said -> 'family_name') = 'string' THEN said ->> 'family_name' END),
                        ''));
                CASE provider
                WHEN 'microsoft' THEN
                    made := made - 'name';
                    IF jsonb_exists(claims, 'name') THEN
                        made := made || jsonb_build_object('full_name', claims -> 'name');
                    END IF;
                WHEN 'github' THEN
                    IF jsonb_exists(said, 'preferred_username') THEN
                        made := made || jsonb_build_object('user_name', said -> 'preferred_username');
                    END IF;
                    IF jsonb_exists(said, 'login') THEN
                        made := made
                            || jsonb_build_object('preferred_username', said -> 'login', 'user_name', said -> 'login');
                    END IF;
                    IF full_name IS NOT NULL THEN
                        made := made || jsonb_build_object('full_name', full_name);
                    END IF;
                ELSE
                    made := made - 'name';
                    IF full_name IS NOT NULL THEN
                        made := made || jsonb_build_object('name', full_name, 'full_name', full_name);
                    END IF;
                END CASE;
                SELECT value #>> '{}' INTO picture
                FROM unnest(ARRAY[said -> 'picture', said -> 'avatar_url', said #> '{picture,data,url}'])
                    WITH ORDINALITY told (value, place)
                WHERE jsonb_typeof(value) = 'string' AND value <> '""' ORDER BY place LIMIT 1;
                IF picture IS NOT NULL THEN
                    made := made || jsonb_build_object('avatar_url', picture);
                    IF provider <> 'github' THEN
                        made := made || jsonb_build_object('picture', picture);
                    END IF;
                END IF;
                IF jsonb_exists(claims, 'email') THEN
                    made := made || jsonb_build_object('email', claims -> 'email');
                END IF;
                made := made || jsonb_build_object(
                    'email_verified', coalesce(claims -> 'email_verified' = 'true', false),
                    'phone_verified', coalesce(claims -> 'phone_verified' = 'true', false)
                        OR coalesce(claims -> 'phone_number_verified' = 'true', false),
                    'provider_id', subject);
                SELECT coalesce(jsonb_object_agg(key, value), '{}') INTO custom FROM jsonb_each(claims)
                WHERE CASE
                    WHEN provider = 'google' THEN key = 'hd'
                    WHEN provider = 'apple' THEN key IN ('auth_time', 'is_private_email', 'transfer_sub')
                    WHEN provider IN ('facebook', 'github') OR provider LIKE 'custom:%' THEN false
                    WHEN provider = 'microsoft' THEN
                        key <> ALL (token || ARRAY['sub', 'name', 'preferred_username', 'email_verified'])
                    ELSE key <> ALL (token || profile || standard) END;
                IF provider = 'apple' AND jsonb_typeof(custom -> 'is_private_email') = 'string' THEN
                    custom := custom || jsonb_build_object('is_private_email', custom ->> 'is_private_email' = 'true');
                END IF;
                IF custom <> '{}' THEN
                    made := made || jsonb_build_object('custom_claims', custom);
                END IF;
                RETURN made;
            END
            $f$
            """,
            """
            CREATE OR REPLACE FUNCTION \(ours).mirror_name(own text, others text) RETURNS uuid
            LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $f$
                SELECT coalesce(others::jsonb ->> \(dialect), own)::uuid
            $f$
            """,
        ]
    }
}
