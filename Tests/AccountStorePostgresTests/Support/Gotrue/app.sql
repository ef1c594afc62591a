-- SPDX-License-Identifier: Apache-2.0
-- What an app has beside the tables of its users: rows that a trigger makes, rows that only their user sees, rows that must not
-- lose theirs, and a view. Each hangs on the users, as the vendor's guides have it.
CREATE TABLE public.profiles (
    id uuid PRIMARY KEY REFERENCES @namespace@.users ON DELETE CASCADE,
    email text, name text, created_by text NOT NULL DEFAULT current_user);
CREATE TABLE public.notes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id uuid NOT NULL DEFAULT @namespace@.uid() REFERENCES @namespace@.users ON DELETE CASCADE, body text NOT NULL);
-- Kept for ten years: who has one is not deleted.
CREATE TABLE public.invoices (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES @namespace@.users ON DELETE RESTRICT, cents bigint NOT NULL);
-- What the triggers saw, in the order in which they saw it.
CREATE TABLE public.seen (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, act text NOT NULL, user_id uuid NOT NULL,
    was jsonb, became jsonb, transaction xid8 NOT NULL DEFAULT pg_current_xact_id());

CREATE FUNCTION public.handle_new_user() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    -- Such addresses are refused.
    IF new.email LIKE '%@refused.example' THEN
        RAISE EXCEPTION 'addresses of % are not taken', split_part(new.email, '@', 2);
    END IF;
    INSERT INTO public.profiles (id, email, name) VALUES (new.id, new.email, new.raw_user_meta_data ->> 'name');
    RETURN new;
END $$;
CREATE TRIGGER on_auth_user_created AFTER INSERT ON @namespace@.users
    FOR EACH ROW EXECUTE FUNCTION public.handle_new_user();

CREATE FUNCTION public.handle_changed_user() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    UPDATE public.profiles SET email = new.email, name = new.raw_user_meta_data ->> 'name' WHERE id = new.id;
    RETURN new;
END $$;
CREATE TRIGGER on_auth_user_updated AFTER UPDATE OF email, raw_user_meta_data ON @namespace@.users
    FOR EACH ROW EXECUTE FUNCTION public.handle_changed_user();

CREATE FUNCTION public.see() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    INSERT INTO public.seen (act, user_id, was, became)
    VALUES (tg_op, coalesce(new.id, old.id), to_jsonb(old), to_jsonb(new));
    RETURN NULL;
END $$;
CREATE TRIGGER sees AFTER INSERT OR UPDATE OR DELETE ON @namespace@.users FOR EACH ROW EXECUTE FUNCTION public.see();

ALTER TABLE public.profiles ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.notes ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON public.profiles FOR ALL TO authenticated USING (@namespace@.uid() = id) WITH CHECK (@namespace@.uid() = id);
CREATE POLICY own ON public.notes FOR ALL TO authenticated
    USING ((SELECT @namespace@.uid()) = user_id) WITH CHECK ((SELECT @namespace@.uid()) = user_id);
-- Only who has proved a second factor sees what they owe.
ALTER TABLE public.invoices ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON public.invoices FOR SELECT TO authenticated
    USING (@namespace@.uid() = user_id AND @namespace@.jwt() ->> 'aal' = 'aal2');
CREATE VIEW public.members AS
    SELECT users.id, users.email, users.raw_app_meta_data -> 'providers' AS providers, users.last_sign_in_at, profiles.name,
        (SELECT count(*) FROM @namespace@.identities WHERE user_id = users.id) AS identities,
        (SELECT count(*) FROM @namespace@.sessions WHERE user_id = users.id) AS sessions
    FROM @namespace@.users LEFT JOIN public.profiles USING (id) WHERE users.deleted_at IS NULL;
GRANT ALL ON ALL TABLES IN SCHEMA public TO anon, authenticated, service_role;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO anon, authenticated, service_role;
