-- SPDX-License-Identifier: MIT
-- The tables of supabase/auth (https://github.com/supabase/auth, MIT, LICENSE beside this file) as all of the migrations of
-- commit bc32168e13fdc928c98b449fc76bc3fdb9a293c5 leave them, by pg_dump. `@namespace@` is what `DB_NAMESPACE` says.
CREATE TYPE @namespace@.aal_level AS ENUM (
    'aal1',
    'aal2',
    'aal3'
);
CREATE TYPE @namespace@.code_challenge_method AS ENUM (
    's256',
    'plain'
);
CREATE TYPE @namespace@.factor_status AS ENUM (
    'unverified',
    'verified'
);
CREATE TYPE @namespace@.factor_type AS ENUM (
    'totp',
    'webauthn',
    'phone'
);
CREATE TYPE @namespace@.oauth_authorization_status AS ENUM (
    'pending',
    'approved',
    'denied',
    'expired'
);
CREATE TYPE @namespace@.oauth_client_type AS ENUM (
    'public',
    'confidential'
);
CREATE TYPE @namespace@.oauth_registration_type AS ENUM (
    'dynamic',
    'manual'
);
CREATE TYPE @namespace@.oauth_response_type AS ENUM (
    'code'
);
CREATE TYPE @namespace@.one_time_token_type AS ENUM (
    'confirmation_token',
    'reauthentication_token',
    'recovery_token',
    'email_change_token_new',
    'email_change_token_current',
    'phone_change_token'
);
CREATE FUNCTION @namespace@.email() RETURNS text
    LANGUAGE sql STABLE
    AS $$
  select 
  coalesce(
    nullif(current_setting('request.jwt.claim.email', true), ''),
    (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email')
  )::text
$$;
CREATE FUNCTION @namespace@.jwt() RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
  select 
    coalesce(
        nullif(current_setting('request.jwt.claim', true), ''),
        nullif(current_setting('request.jwt.claims', true), '')
    )::jsonb
$$;
CREATE FUNCTION @namespace@.role() RETURNS text
    LANGUAGE sql STABLE
    AS $$
  select 
  coalesce(
    nullif(current_setting('request.jwt.claim.role', true), ''),
    (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role')
  )::text
$$;
CREATE FUNCTION @namespace@.uid() RETURNS uuid
    LANGUAGE sql STABLE
    AS $$
  select 
  coalesce(
    nullif(current_setting('request.jwt.claim.sub', true), ''),
    (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')
  )::uuid
$$;
CREATE TABLE @namespace@.audit_log_entries (
    instance_id uuid,
    id uuid NOT NULL,
    payload json,
    created_at timestamp with time zone,
    ip_address character varying(64) DEFAULT ''::character varying NOT NULL
);
CREATE TABLE @namespace@.custom_oauth_providers (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    provider_type text NOT NULL,
    identifier text NOT NULL,
    name text NOT NULL,
    client_id text NOT NULL,
    client_secret text NOT NULL,
    acceptable_client_ids text[] DEFAULT '{}'::text[] NOT NULL,
    scopes text[] DEFAULT '{}'::text[] NOT NULL,
    pkce_enabled boolean DEFAULT true NOT NULL,
    attribute_mapping jsonb DEFAULT '{}'::jsonb NOT NULL,
    authorization_params jsonb DEFAULT '{}'::jsonb NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    email_optional boolean DEFAULT false NOT NULL,
    issuer text,
    discovery_url text,
    skip_nonce_check boolean DEFAULT false NOT NULL,
    cached_discovery jsonb,
    discovery_cached_at timestamp with time zone,
    authorization_url text,
    token_url text,
    userinfo_url text,
    jwks_uri text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    custom_claims_allowlist text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT custom_oauth_providers_authorization_url_https CHECK (((authorization_url IS NULL) OR (authorization_url ~~ 'https://%'::text))),
    CONSTRAINT custom_oauth_providers_authorization_url_length CHECK (((authorization_url IS NULL) OR (char_length(authorization_url) <= 2048))),
    CONSTRAINT custom_oauth_providers_client_id_length CHECK (((char_length(client_id) >= 1) AND (char_length(client_id) <= 512))),
    CONSTRAINT custom_oauth_providers_discovery_url_length CHECK (((discovery_url IS NULL) OR (char_length(discovery_url) <= 2048))),
    CONSTRAINT custom_oauth_providers_identifier_format CHECK ((identifier ~ '^[a-z0-9][a-z0-9:-]{0,48}[a-z0-9]$'::text)),
    CONSTRAINT custom_oauth_providers_issuer_length CHECK (((issuer IS NULL) OR ((char_length(issuer) >= 1) AND (char_length(issuer) <= 2048)))),
    CONSTRAINT custom_oauth_providers_jwks_uri_https CHECK (((jwks_uri IS NULL) OR (jwks_uri ~~ 'https://%'::text))),
    CONSTRAINT custom_oauth_providers_jwks_uri_length CHECK (((jwks_uri IS NULL) OR (char_length(jwks_uri) <= 2048))),
    CONSTRAINT custom_oauth_providers_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
    CONSTRAINT custom_oauth_providers_oauth2_requires_endpoints CHECK (((provider_type <> 'oauth2'::text) OR ((authorization_url IS NOT NULL) AND (token_url IS NOT NULL) AND (userinfo_url IS NOT NULL)))),
    CONSTRAINT custom_oauth_providers_oidc_discovery_url_https CHECK (((provider_type <> 'oidc'::text) OR (discovery_url IS NULL) OR (discovery_url ~~ 'https://%'::text))),
    CONSTRAINT custom_oauth_providers_oidc_issuer_https CHECK (((provider_type <> 'oidc'::text) OR (issuer IS NULL) OR (issuer ~~ 'https://%'::text))),
    CONSTRAINT custom_oauth_providers_oidc_requires_issuer CHECK (((provider_type <> 'oidc'::text) OR (issuer IS NOT NULL))),
    CONSTRAINT custom_oauth_providers_provider_type_check CHECK ((provider_type = ANY (ARRAY['oauth2'::text, 'oidc'::text]))),
    CONSTRAINT custom_oauth_providers_token_url_https CHECK (((token_url IS NULL) OR (token_url ~~ 'https://%'::text))),
    CONSTRAINT custom_oauth_providers_token_url_length CHECK (((token_url IS NULL) OR (char_length(token_url) <= 2048))),
    CONSTRAINT custom_oauth_providers_userinfo_url_https CHECK (((userinfo_url IS NULL) OR (userinfo_url ~~ 'https://%'::text))),
    CONSTRAINT custom_oauth_providers_userinfo_url_length CHECK (((userinfo_url IS NULL) OR (char_length(userinfo_url) <= 2048)))
);
CREATE TABLE @namespace@.flow_state (
    id uuid NOT NULL,
    user_id uuid,
    auth_code text,
    code_challenge_method @namespace@.code_challenge_method,
    code_challenge text,
    provider_type text NOT NULL,
    provider_access_token text,
    provider_refresh_token text,
    created_at timestamp with time zone,
    updated_at timestamp with time zone,
    authentication_method text NOT NULL,
    auth_code_issued_at timestamp with time zone,
    invite_token text,
    referrer text,
    oauth_client_state_id uuid,
    linking_target_id uuid,
    email_optional boolean DEFAULT false NOT NULL
);
CREATE TABLE @namespace@.identities (
    provider_id text NOT NULL,
    user_id uuid NOT NULL,
    identity_data jsonb NOT NULL,
    provider text NOT NULL,
    last_sign_in_at timestamp with time zone,
    created_at timestamp with time zone,
    updated_at timestamp with time zone,
    email text GENERATED ALWAYS AS (lower((identity_data ->> 'email'::text))) STORED,
    id uuid DEFAULT gen_random_uuid() NOT NULL
);
CREATE TABLE @namespace@.instances (
    id uuid NOT NULL,
    uuid uuid,
    raw_base_config text,
    created_at timestamp with time zone,
    updated_at timestamp with time zone
);
CREATE TABLE @namespace@.mfa_amr_claims (
    session_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    authentication_method text NOT NULL,
    id uuid NOT NULL
);
CREATE TABLE @namespace@.mfa_challenges (
    id uuid NOT NULL,
    factor_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    verified_at timestamp with time zone,
    ip_address inet NOT NULL,
    otp_code text,
    web_authn_session_data jsonb
);
CREATE TABLE @namespace@.mfa_factors (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    friendly_name text,
    factor_type @namespace@.factor_type NOT NULL,
    status @namespace@.factor_status NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    secret text,
    phone text,
    last_challenged_at timestamp with time zone,
    web_authn_credential jsonb,
    web_authn_aaguid uuid,
    last_webauthn_challenge_data jsonb
);
CREATE TABLE @namespace@.oauth_authorizations (
    id uuid NOT NULL,
    authorization_id text NOT NULL,
    client_id uuid NOT NULL,
    user_id uuid,
    redirect_uri text NOT NULL,
    scope text NOT NULL,
    state text,
    resource text,
    code_challenge text,
    code_challenge_method @namespace@.code_challenge_method,
    response_type @namespace@.oauth_response_type DEFAULT 'code'::@namespace@.oauth_response_type NOT NULL,
    status @namespace@.oauth_authorization_status DEFAULT 'pending'::@namespace@.oauth_authorization_status NOT NULL,
    authorization_code text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone DEFAULT (now() + '00:03:00'::interval) NOT NULL,
    approved_at timestamp with time zone,
    nonce text,
    CONSTRAINT oauth_authorizations_authorization_code_length CHECK ((char_length(authorization_code) <= 255)),
    CONSTRAINT oauth_authorizations_code_challenge_length CHECK ((char_length(code_challenge) <= 128)),
    CONSTRAINT oauth_authorizations_expires_at_future CHECK ((expires_at > created_at)),
    CONSTRAINT oauth_authorizations_nonce_length CHECK ((char_length(nonce) <= 255)),
    CONSTRAINT oauth_authorizations_redirect_uri_length CHECK ((char_length(redirect_uri) <= 2048)),
    CONSTRAINT oauth_authorizations_resource_length CHECK ((char_length(resource) <= 2048)),
    CONSTRAINT oauth_authorizations_scope_length CHECK ((char_length(scope) <= 4096)),
    CONSTRAINT oauth_authorizations_state_length CHECK ((char_length(state) <= 4096))
);
CREATE TABLE @namespace@.oauth_client_states (
    id uuid NOT NULL,
    provider_type text NOT NULL,
    code_verifier text,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE @namespace@.oauth_clients (
    id uuid NOT NULL,
    client_secret_hash text,
    registration_type @namespace@.oauth_registration_type NOT NULL,
    redirect_uris text NOT NULL,
    grant_types text NOT NULL,
    client_name text,
    client_uri text,
    logo_uri text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp with time zone,
    client_type @namespace@.oauth_client_type DEFAULT 'confidential'::@namespace@.oauth_client_type NOT NULL,
    token_endpoint_auth_method text NOT NULL,
    CONSTRAINT oauth_clients_client_name_length CHECK ((char_length(client_name) <= 1024)),
    CONSTRAINT oauth_clients_client_uri_length CHECK ((char_length(client_uri) <= 2048)),
    CONSTRAINT oauth_clients_logo_uri_length CHECK ((char_length(logo_uri) <= 2048)),
    CONSTRAINT oauth_clients_token_endpoint_auth_method_check CHECK ((token_endpoint_auth_method = ANY (ARRAY['client_secret_basic'::text, 'client_secret_post'::text, 'none'::text])))
);
CREATE TABLE @namespace@.oauth_consents (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    client_id uuid NOT NULL,
    scopes text NOT NULL,
    granted_at timestamp with time zone DEFAULT now() NOT NULL,
    revoked_at timestamp with time zone,
    CONSTRAINT oauth_consents_revoked_after_granted CHECK (((revoked_at IS NULL) OR (revoked_at >= granted_at))),
    CONSTRAINT oauth_consents_scopes_length CHECK ((char_length(scopes) <= 2048)),
    CONSTRAINT oauth_consents_scopes_not_empty CHECK ((char_length(TRIM(BOTH FROM scopes)) > 0))
);
CREATE TABLE @namespace@.one_time_tokens (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    token_type @namespace@.one_time_token_type NOT NULL,
    token_hash text NOT NULL,
    relates_to text NOT NULL,
    created_at timestamp without time zone DEFAULT now() NOT NULL,
    updated_at timestamp without time zone DEFAULT now() NOT NULL,
    CONSTRAINT one_time_tokens_token_hash_check CHECK ((char_length(token_hash) > 0))
);
CREATE TABLE @namespace@.refresh_tokens (
    instance_id uuid,
    id bigint NOT NULL,
    token character varying(255),
    user_id character varying(255),
    revoked boolean,
    created_at timestamp with time zone,
    updated_at timestamp with time zone,
    parent character varying(255),
    session_id uuid
);
CREATE SEQUENCE @namespace@.refresh_tokens_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE @namespace@.refresh_tokens_id_seq OWNED BY @namespace@.refresh_tokens.id;
CREATE TABLE @namespace@.saml_providers (
    id uuid NOT NULL,
    sso_provider_id uuid NOT NULL,
    entity_id text NOT NULL,
    metadata_xml text NOT NULL,
    metadata_url text,
    attribute_mapping jsonb,
    created_at timestamp with time zone,
    updated_at timestamp with time zone,
    name_id_format text,
    CONSTRAINT "entity_id not empty" CHECK ((char_length(entity_id) > 0)),
    CONSTRAINT "metadata_url not empty" CHECK (((metadata_url = NULL::text) OR (char_length(metadata_url) > 0))),
    CONSTRAINT "metadata_xml not empty" CHECK ((char_length(metadata_xml) > 0))
);
CREATE TABLE @namespace@.saml_relay_states (
    id uuid NOT NULL,
    sso_provider_id uuid NOT NULL,
    request_id text NOT NULL,
    for_email text,
    redirect_to text,
    created_at timestamp with time zone,
    updated_at timestamp with time zone,
    flow_state_id uuid,
    CONSTRAINT "request_id not empty" CHECK ((char_length(request_id) > 0))
);
CREATE TABLE @namespace@.schema_migrations (
    version character varying(255) NOT NULL
);
CREATE TABLE @namespace@.sessions (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    created_at timestamp with time zone,
    updated_at timestamp with time zone,
    factor_id uuid,
    aal @namespace@.aal_level,
    not_after timestamp with time zone,
    refreshed_at timestamp without time zone,
    user_agent text,
    ip inet,
    tag text,
    oauth_client_id uuid,
    refresh_token_hmac_key text,
    refresh_token_counter bigint,
    scopes text,
    CONSTRAINT sessions_scopes_length CHECK ((char_length(scopes) <= 4096))
);
CREATE TABLE @namespace@.sso_domains (
    id uuid NOT NULL,
    sso_provider_id uuid NOT NULL,
    domain text NOT NULL,
    created_at timestamp with time zone,
    updated_at timestamp with time zone,
    CONSTRAINT "domain not empty" CHECK ((char_length(domain) > 0))
);
CREATE TABLE @namespace@.sso_providers (
    id uuid NOT NULL,
    resource_id text,
    created_at timestamp with time zone,
    updated_at timestamp with time zone,
    disabled boolean,
    CONSTRAINT "resource_id not empty" CHECK (((resource_id = NULL::text) OR (char_length(resource_id) > 0)))
);
CREATE TABLE @namespace@.users (
    instance_id uuid,
    id uuid NOT NULL,
    aud character varying(255),
    role character varying(255),
    email character varying(255),
    encrypted_password character varying(255),
    email_confirmed_at timestamp with time zone,
    invited_at timestamp with time zone,
    confirmation_token character varying(255),
    confirmation_sent_at timestamp with time zone,
    recovery_token character varying(255),
    recovery_sent_at timestamp with time zone,
    email_change_token_new character varying(255),
    email_change character varying(255),
    email_change_sent_at timestamp with time zone,
    last_sign_in_at timestamp with time zone,
    raw_app_meta_data jsonb,
    raw_user_meta_data jsonb,
    is_super_admin boolean,
    created_at timestamp with time zone,
    updated_at timestamp with time zone,
    phone text DEFAULT NULL::character varying,
    phone_confirmed_at timestamp with time zone,
    phone_change text DEFAULT ''::character varying,
    phone_change_token character varying(255) DEFAULT ''::character varying,
    phone_change_sent_at timestamp with time zone,
    confirmed_at timestamp with time zone GENERATED ALWAYS AS (LEAST(email_confirmed_at, phone_confirmed_at)) STORED,
    email_change_token_current character varying(255) DEFAULT ''::character varying,
    email_change_confirm_status smallint DEFAULT 0,
    banned_until timestamp with time zone,
    reauthentication_token character varying(255) DEFAULT ''::character varying,
    reauthentication_sent_at timestamp with time zone,
    is_sso_user boolean DEFAULT false NOT NULL,
    deleted_at timestamp with time zone,
    is_anonymous boolean DEFAULT false NOT NULL,
    CONSTRAINT users_email_change_confirm_status_check CHECK (((email_change_confirm_status >= 0) AND (email_change_confirm_status <= 2)))
);
CREATE TABLE @namespace@.webauthn_challenges (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid,
    challenge_type text NOT NULL,
    session_data jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT webauthn_challenges_challenge_type_check CHECK ((challenge_type = ANY (ARRAY['signup'::text, 'registration'::text, 'authentication'::text])))
);
CREATE TABLE @namespace@.webauthn_credentials (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    credential_id bytea NOT NULL,
    public_key bytea NOT NULL,
    attestation_type text DEFAULT ''::text NOT NULL,
    aaguid uuid,
    sign_count bigint DEFAULT 0 NOT NULL,
    transports jsonb DEFAULT '[]'::jsonb NOT NULL,
    backup_eligible boolean DEFAULT false NOT NULL,
    backed_up boolean DEFAULT false NOT NULL,
    friendly_name text DEFAULT ''::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone
);
ALTER TABLE ONLY @namespace@.refresh_tokens ALTER COLUMN id SET DEFAULT nextval('@namespace@.refresh_tokens_id_seq'::regclass);
ALTER TABLE ONLY @namespace@.mfa_amr_claims ADD CONSTRAINT amr_id_pk PRIMARY KEY (id);
ALTER TABLE ONLY @namespace@.audit_log_entries ADD CONSTRAINT audit_log_entries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY @namespace@.custom_oauth_providers ADD CONSTRAINT custom_oauth_providers_identifier_key UNIQUE (identifier);
ALTER TABLE ONLY @namespace@.custom_oauth_providers ADD CONSTRAINT custom_oauth_providers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY @namespace@.flow_state ADD CONSTRAINT flow_state_pkey PRIMARY KEY (id);
ALTER TABLE ONLY @namespace@.identities ADD CONSTRAINT identities_pkey PRIMARY KEY (id);
ALTER TABLE ONLY @namespace@.identities ADD CONSTRAINT identities_provider_id_provider_unique UNIQUE (provider_id, provider);
ALTER TABLE ONLY @namespace@.instances ADD CONSTRAINT instances_pkey PRIMARY KEY (id);
ALTER TABLE ONLY @namespace@.mfa_amr_claims ADD CONSTRAINT mfa_amr_claims_session_id_authentication_method_pkey UNIQUE (session_id, authentication_method);
ALTER TABLE ONLY @namespace@.mfa_challenges ADD CONSTRAINT mfa_challenges_pkey PRIMARY KEY (id);
ALTER TABLE ONLY @namespace@.mfa_factors ADD CONSTRAINT mfa_factors_last_challenged_at_key UNIQUE (last_challenged_at);
ALTER TABLE ONLY @namespace@.mfa_factors ADD CONSTRAINT mfa_factors_pkey PRIMARY KEY (id);
ALTER TABLE ONLY @namespace@.oauth_authorizations ADD CONSTRAINT oauth_authorizations_authorization_code_key UNIQUE (authorization_code);
ALTER TABLE ONLY @namespace@.oauth_authorizations ADD CONSTRAINT oauth_authorizations_authorization_id_key UNIQUE (authorization_id);
ALTER TABLE ONLY @namespace@.oauth_authorizations ADD CONSTRAINT oauth_authorizations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY @namespace@.oauth_client_states ADD CONSTRAINT oauth_client_states_pkey PRIMARY KEY (id);
ALTER TABLE ONLY @namespace@.oauth_clients ADD CONSTRAINT oauth_clients_pkey PRIMARY KEY (id);
ALTER TABLE ONLY @namespace@.oauth_consents ADD CONSTRAINT oauth_consents_pkey PRIMARY KEY (id);
ALTER TABLE ONLY @namespace@.oauth_consents ADD CONSTRAINT oauth_consents_user_client_unique UNIQUE (user_id, client_id);
ALTER TABLE ONLY @namespace@.one_time_tokens ADD CONSTRAINT one_time_tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY @namespace@.refresh_tokens ADD CONSTRAINT refresh_tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY @namespace@.refresh_tokens ADD CONSTRAINT refresh_tokens_token_unique UNIQUE (token);
ALTER TABLE ONLY @namespace@.saml_providers ADD CONSTRAINT saml_providers_entity_id_key UNIQUE (entity_id);
ALTER TABLE ONLY @namespace@.saml_providers ADD CONSTRAINT saml_providers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY @namespace@.saml_relay_states ADD CONSTRAINT saml_relay_states_pkey PRIMARY KEY (id);
ALTER TABLE ONLY @namespace@.schema_migrations ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY @namespace@.sessions ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY @namespace@.sso_domains ADD CONSTRAINT sso_domains_pkey PRIMARY KEY (id);
ALTER TABLE ONLY @namespace@.sso_providers ADD CONSTRAINT sso_providers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY @namespace@.users ADD CONSTRAINT users_phone_key UNIQUE (phone);
ALTER TABLE ONLY @namespace@.users ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY @namespace@.webauthn_challenges ADD CONSTRAINT webauthn_challenges_pkey PRIMARY KEY (id);
ALTER TABLE ONLY @namespace@.webauthn_credentials ADD CONSTRAINT webauthn_credentials_pkey PRIMARY KEY (id);
CREATE INDEX audit_logs_instance_id_idx ON @namespace@.audit_log_entries USING btree (instance_id);
CREATE UNIQUE INDEX confirmation_token_idx ON @namespace@.users USING btree (confirmation_token) WHERE ((confirmation_token)::text !~ '^[0-9 ]*$'::text);
CREATE INDEX custom_oauth_providers_created_at_idx ON @namespace@.custom_oauth_providers USING btree (created_at);
CREATE INDEX custom_oauth_providers_enabled_idx ON @namespace@.custom_oauth_providers USING btree (enabled);
CREATE INDEX custom_oauth_providers_identifier_idx ON @namespace@.custom_oauth_providers USING btree (identifier);
CREATE INDEX custom_oauth_providers_provider_type_idx ON @namespace@.custom_oauth_providers USING btree (provider_type);
CREATE UNIQUE INDEX email_change_token_current_idx ON @namespace@.users USING btree (email_change_token_current) WHERE ((email_change_token_current)::text !~ '^[0-9 ]*$'::text);
CREATE UNIQUE INDEX email_change_token_new_idx ON @namespace@.users USING btree (email_change_token_new) WHERE ((email_change_token_new)::text !~ '^[0-9 ]*$'::text);
CREATE INDEX factor_id_created_at_idx ON @namespace@.mfa_factors USING btree (user_id, created_at);
CREATE INDEX flow_state_created_at_idx ON @namespace@.flow_state USING btree (created_at DESC);
CREATE INDEX identities_email_idx ON @namespace@.identities USING btree (email text_pattern_ops);
CREATE INDEX identities_user_id_idx ON @namespace@.identities USING btree (user_id);
CREATE INDEX idx_auth_code ON @namespace@.flow_state USING btree (auth_code);
CREATE INDEX idx_oauth_client_states_created_at ON @namespace@.oauth_client_states USING btree (created_at);
CREATE INDEX idx_user_id_auth_method ON @namespace@.flow_state USING btree (user_id, authentication_method);
CREATE INDEX mfa_challenge_created_at_idx ON @namespace@.mfa_challenges USING btree (created_at DESC);
CREATE UNIQUE INDEX mfa_factors_user_friendly_name_unique ON @namespace@.mfa_factors USING btree (friendly_name, user_id) WHERE (TRIM(BOTH FROM friendly_name) <> ''::text);
CREATE INDEX mfa_factors_user_id_idx ON @namespace@.mfa_factors USING btree (user_id);
CREATE INDEX oauth_auth_pending_exp_idx ON @namespace@.oauth_authorizations USING btree (expires_at) WHERE (status = 'pending'::@namespace@.oauth_authorization_status);
CREATE INDEX oauth_clients_deleted_at_idx ON @namespace@.oauth_clients USING btree (deleted_at);
CREATE INDEX oauth_consents_active_client_idx ON @namespace@.oauth_consents USING btree (client_id) WHERE (revoked_at IS NULL);
CREATE INDEX oauth_consents_active_user_client_idx ON @namespace@.oauth_consents USING btree (user_id, client_id) WHERE (revoked_at IS NULL);
CREATE INDEX oauth_consents_user_order_idx ON @namespace@.oauth_consents USING btree (user_id, granted_at DESC);
CREATE INDEX one_time_tokens_relates_to_hash_idx ON @namespace@.one_time_tokens USING hash (relates_to);
CREATE INDEX one_time_tokens_token_hash_hash_idx ON @namespace@.one_time_tokens USING hash (token_hash);
CREATE UNIQUE INDEX one_time_tokens_user_id_token_type_key ON @namespace@.one_time_tokens USING btree (user_id, token_type);
CREATE UNIQUE INDEX reauthentication_token_idx ON @namespace@.users USING btree (reauthentication_token) WHERE ((reauthentication_token)::text !~ '^[0-9 ]*$'::text);
CREATE UNIQUE INDEX recovery_token_idx ON @namespace@.users USING btree (recovery_token) WHERE ((recovery_token)::text !~ '^[0-9 ]*$'::text);
CREATE INDEX refresh_tokens_instance_id_idx ON @namespace@.refresh_tokens USING btree (instance_id);
CREATE INDEX refresh_tokens_instance_id_user_id_idx ON @namespace@.refresh_tokens USING btree (instance_id, user_id);
CREATE INDEX refresh_tokens_parent_idx ON @namespace@.refresh_tokens USING btree (parent);
CREATE INDEX refresh_tokens_session_id_revoked_idx ON @namespace@.refresh_tokens USING btree (session_id, revoked);
CREATE INDEX refresh_tokens_updated_at_idx ON @namespace@.refresh_tokens USING btree (updated_at DESC);
CREATE INDEX saml_providers_sso_provider_id_idx ON @namespace@.saml_providers USING btree (sso_provider_id);
CREATE INDEX saml_relay_states_created_at_idx ON @namespace@.saml_relay_states USING btree (created_at DESC);
CREATE INDEX saml_relay_states_for_email_idx ON @namespace@.saml_relay_states USING btree (for_email);
CREATE INDEX saml_relay_states_sso_provider_id_idx ON @namespace@.saml_relay_states USING btree (sso_provider_id);
CREATE INDEX sessions_not_after_idx ON @namespace@.sessions USING btree (not_after DESC);
CREATE INDEX sessions_oauth_client_id_idx ON @namespace@.sessions USING btree (oauth_client_id);
CREATE INDEX sessions_user_id_idx ON @namespace@.sessions USING btree (user_id);
CREATE UNIQUE INDEX sso_domains_domain_idx ON @namespace@.sso_domains USING btree (lower(domain));
CREATE INDEX sso_domains_sso_provider_id_idx ON @namespace@.sso_domains USING btree (sso_provider_id);
CREATE UNIQUE INDEX sso_providers_resource_id_idx ON @namespace@.sso_providers USING btree (lower(resource_id));
CREATE INDEX sso_providers_resource_id_pattern_idx ON @namespace@.sso_providers USING btree (resource_id text_pattern_ops);
CREATE UNIQUE INDEX unique_phone_factor_per_user ON @namespace@.mfa_factors USING btree (user_id, phone);
CREATE INDEX user_id_created_at_idx ON @namespace@.sessions USING btree (user_id, created_at);
CREATE UNIQUE INDEX users_email_partial_key ON @namespace@.users USING btree (email) WHERE (is_sso_user = false);
CREATE INDEX users_instance_id_email_idx ON @namespace@.users USING btree (instance_id, lower((email)::text));
CREATE INDEX users_instance_id_idx ON @namespace@.users USING btree (instance_id);
CREATE INDEX users_is_anonymous_idx ON @namespace@.users USING btree (is_anonymous);
CREATE INDEX webauthn_challenges_expires_at_idx ON @namespace@.webauthn_challenges USING btree (expires_at);
CREATE INDEX webauthn_challenges_user_id_idx ON @namespace@.webauthn_challenges USING btree (user_id);
CREATE UNIQUE INDEX webauthn_credentials_credential_id_key ON @namespace@.webauthn_credentials USING btree (credential_id);
CREATE INDEX webauthn_credentials_user_id_idx ON @namespace@.webauthn_credentials USING btree (user_id);
ALTER TABLE ONLY @namespace@.identities ADD CONSTRAINT identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES @namespace@.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY @namespace@.mfa_amr_claims ADD CONSTRAINT mfa_amr_claims_session_id_fkey FOREIGN KEY (session_id) REFERENCES @namespace@.sessions(id) ON DELETE CASCADE;
ALTER TABLE ONLY @namespace@.mfa_challenges ADD CONSTRAINT mfa_challenges_auth_factor_id_fkey FOREIGN KEY (factor_id) REFERENCES @namespace@.mfa_factors(id) ON DELETE CASCADE;
ALTER TABLE ONLY @namespace@.mfa_factors ADD CONSTRAINT mfa_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES @namespace@.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY @namespace@.oauth_authorizations ADD CONSTRAINT oauth_authorizations_client_id_fkey FOREIGN KEY (client_id) REFERENCES @namespace@.oauth_clients(id) ON DELETE CASCADE;
ALTER TABLE ONLY @namespace@.oauth_authorizations ADD CONSTRAINT oauth_authorizations_user_id_fkey FOREIGN KEY (user_id) REFERENCES @namespace@.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY @namespace@.oauth_consents ADD CONSTRAINT oauth_consents_client_id_fkey FOREIGN KEY (client_id) REFERENCES @namespace@.oauth_clients(id) ON DELETE CASCADE;
ALTER TABLE ONLY @namespace@.oauth_consents ADD CONSTRAINT oauth_consents_user_id_fkey FOREIGN KEY (user_id) REFERENCES @namespace@.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY @namespace@.one_time_tokens ADD CONSTRAINT one_time_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES @namespace@.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY @namespace@.refresh_tokens ADD CONSTRAINT refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES @namespace@.sessions(id) ON DELETE CASCADE;
ALTER TABLE ONLY @namespace@.saml_providers ADD CONSTRAINT saml_providers_sso_provider_id_fkey FOREIGN KEY (sso_provider_id) REFERENCES @namespace@.sso_providers(id) ON DELETE CASCADE;
ALTER TABLE ONLY @namespace@.saml_relay_states ADD CONSTRAINT saml_relay_states_flow_state_id_fkey FOREIGN KEY (flow_state_id) REFERENCES @namespace@.flow_state(id) ON DELETE CASCADE;
ALTER TABLE ONLY @namespace@.saml_relay_states ADD CONSTRAINT saml_relay_states_sso_provider_id_fkey FOREIGN KEY (sso_provider_id) REFERENCES @namespace@.sso_providers(id) ON DELETE CASCADE;
ALTER TABLE ONLY @namespace@.sessions ADD CONSTRAINT sessions_oauth_client_id_fkey FOREIGN KEY (oauth_client_id) REFERENCES @namespace@.oauth_clients(id) ON DELETE CASCADE;
ALTER TABLE ONLY @namespace@.sessions ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES @namespace@.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY @namespace@.sso_domains ADD CONSTRAINT sso_domains_sso_provider_id_fkey FOREIGN KEY (sso_provider_id) REFERENCES @namespace@.sso_providers(id) ON DELETE CASCADE;
ALTER TABLE ONLY @namespace@.webauthn_challenges ADD CONSTRAINT webauthn_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES @namespace@.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY @namespace@.webauthn_credentials ADD CONSTRAINT webauthn_credentials_user_id_fkey FOREIGN KEY (user_id) REFERENCES @namespace@.users(id) ON DELETE CASCADE;
ALTER TABLE @namespace@.audit_log_entries ENABLE ROW LEVEL SECURITY;
ALTER TABLE @namespace@.flow_state ENABLE ROW LEVEL SECURITY;
ALTER TABLE @namespace@.identities ENABLE ROW LEVEL SECURITY;
ALTER TABLE @namespace@.instances ENABLE ROW LEVEL SECURITY;
ALTER TABLE @namespace@.mfa_amr_claims ENABLE ROW LEVEL SECURITY;
ALTER TABLE @namespace@.mfa_challenges ENABLE ROW LEVEL SECURITY;
ALTER TABLE @namespace@.mfa_factors ENABLE ROW LEVEL SECURITY;
ALTER TABLE @namespace@.one_time_tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE @namespace@.refresh_tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE @namespace@.saml_providers ENABLE ROW LEVEL SECURITY;
ALTER TABLE @namespace@.saml_relay_states ENABLE ROW LEVEL SECURITY;
ALTER TABLE @namespace@.schema_migrations ENABLE ROW LEVEL SECURITY;
ALTER TABLE @namespace@.sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE @namespace@.sso_domains ENABLE ROW LEVEL SECURITY;
ALTER TABLE @namespace@.sso_providers ENABLE ROW LEVEL SECURITY;
ALTER TABLE @namespace@.users ENABLE ROW LEVEL SECURITY;
GRANT SELECT ON TABLE @namespace@.audit_log_entries TO postgres WITH GRANT OPTION;
GRANT SELECT ON TABLE @namespace@.flow_state TO postgres WITH GRANT OPTION;
GRANT SELECT ON TABLE @namespace@.identities TO postgres WITH GRANT OPTION;
GRANT SELECT ON TABLE @namespace@.instances TO postgres WITH GRANT OPTION;
GRANT SELECT ON TABLE @namespace@.mfa_amr_claims TO postgres WITH GRANT OPTION;
GRANT SELECT ON TABLE @namespace@.mfa_challenges TO postgres WITH GRANT OPTION;
GRANT SELECT ON TABLE @namespace@.mfa_factors TO postgres WITH GRANT OPTION;
GRANT SELECT ON TABLE @namespace@.one_time_tokens TO postgres WITH GRANT OPTION;
GRANT SELECT ON TABLE @namespace@.refresh_tokens TO postgres WITH GRANT OPTION;
GRANT SELECT ON TABLE @namespace@.saml_providers TO postgres WITH GRANT OPTION;
GRANT SELECT ON TABLE @namespace@.saml_relay_states TO postgres WITH GRANT OPTION;
GRANT SELECT ON TABLE @namespace@.schema_migrations TO postgres WITH GRANT OPTION;
GRANT SELECT ON TABLE @namespace@.sessions TO postgres WITH GRANT OPTION;
GRANT SELECT ON TABLE @namespace@.sso_domains TO postgres WITH GRANT OPTION;
GRANT SELECT ON TABLE @namespace@.sso_providers TO postgres WITH GRANT OPTION;
GRANT SELECT ON TABLE @namespace@.users TO postgres WITH GRANT OPTION;
INSERT INTO @namespace@.schema_migrations (version) VALUES
    ('00'), ('20210710035447'), ('20210722035447'), ('20210730183235'), ('20210909172000'), ('20210927181326'),
    ('20211122151130'), ('20211124214934'), ('20211202183645'), ('20220114185221'), ('20220114185340'), ('20220224000811'),
    ('20220323170000'), ('20220429102000'), ('20220531120530'), ('20220614074223'), ('20220811173540'), ('20221003041349'),
    ('20221003041400'), ('20221011041400'), ('20221020193600'), ('20221021073300'), ('20221021082433'), ('20221027105023'),
    ('20221114143122'), ('20221114143410'), ('20221125140132'), ('20221208132122'), ('20221215195500'), ('20221215195800'),
    ('20221215195900'), ('20230116124310'), ('20230116124412'), ('20230131181311'), ('20230322519590'), ('20230402418590'),
    ('20230411005111'), ('20230508135423'), ('20230523124323'), ('20230818113222'), ('20230914180801'), ('20231027141322'),
    ('20231114161723'), ('20231117164230'), ('20240115144230'), ('20240214120130'), ('20240306115329'), ('20240314092811'),
    ('20240427152123'), ('20240612123726'), ('20240729123726'), ('20240802193726'), ('20240806073726'), ('20241009103726'),
    ('20250717082212'), ('20250731150234'), ('20250804100000'), ('20250901200500'), ('20250903112500'), ('20250904133000'),
    ('20250925093508'), ('20251007112900'), ('20251104100000'), ('20251111201300'), ('20251201000000'), ('20260115000000'),
    ('20260121000000'), ('20260219120000'), ('20260302000000'), ('20260625000000');
