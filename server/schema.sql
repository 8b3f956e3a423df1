-- The schema that all migrations make together, for reading. db.test.ts compares it and, with `-u`, writes it.

-- accounts/access

create table account_roles (
  user_id uuid not null,
  role_id uuid not null,
  constraint account_roles_pkey PRIMARY KEY (user_id, role_id),
  constraint account_roles_role_id_fkey FOREIGN KEY (role_id) REFERENCES roles(id) ON DELETE CASCADE,
  constraint account_roles_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts(user_id) ON DELETE CASCADE
);
CREATE INDEX account_roles_role ON account_roles USING btree (role_id, user_id);

create table menus (
  id uuid not null,
  parent_id uuid,
  name text not null,
  path text default ''::text not null,
  icon text default ''::text not null,
  permission text,
  kind text not null,
  sort integer default 0 not null,
  enabled boolean default true not null,
  code text,
  constraint menus_pkey PRIMARY KEY (id),
  constraint menus_code_key UNIQUE (code),
  constraint menus_permission_key UNIQUE (permission),
  constraint menus_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES menus(id) ON DELETE CASCADE,
  constraint menus_kind_check CHECK ((kind = ANY (ARRAY['group'::text, 'screen'::text, 'act'::text])))
);
CREATE INDEX menus_parent ON menus USING btree (parent_id);

create table operations (
  id uuid not null,
  user_id uuid,
  call text not null,
  summary text not null,
  target text,
  address text not null,
  request_id text not null,
  input jsonb not null,
  before jsonb,
  after jsonb,
  created_at timestamp with time zone not null,
  constraint operations_pkey PRIMARY KEY (id),
  constraint operations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX operations_address ON operations USING btree (address text_pattern_ops);
CREATE INDEX operations_call ON operations USING btree (call, id DESC);
CREATE INDEX operations_created ON operations USING btree (created_at, id);
CREATE INDEX operations_request ON operations USING btree (request_id);
CREATE INDEX operations_target ON operations USING btree (target text_pattern_ops, id);
CREATE INDEX operations_user ON operations USING btree (user_id, id DESC);

create table role_menus (
  role_id uuid not null,
  menu_id uuid not null,
  constraint role_menus_pkey PRIMARY KEY (role_id, menu_id),
  constraint role_menus_menu_id_fkey FOREIGN KEY (menu_id) REFERENCES menus(id) ON DELETE CASCADE,
  constraint role_menus_role_id_fkey FOREIGN KEY (role_id) REFERENCES roles(id) ON DELETE CASCADE
);
CREATE INDEX role_menus_menu ON role_menus USING btree (menu_id);

create table roles (
  id uuid not null,
  code text not null,
  name text not null,
  enabled boolean default true not null,
  created_at timestamp with time zone not null,
  built_in boolean default false not null,
  constraint roles_pkey PRIMARY KEY (id),
  constraint roles_code_key UNIQUE (code)
);

create table seeded_permissions (
  permission text not null,
  constraint seeded_permissions_pkey PRIMARY KEY (permission)
);

-- accounts/activity

create table trends (
  id uuid not null,
  user_id uuid not null,
  type smallint not null,
  target_kind smallint not null,
  target_id uuid not null,
  created_at timestamp with time zone not null,
  keyword text,
  constraint trends_pkey PRIMARY KEY (id),
  constraint trends_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint trends_target_kind_check CHECK ((target_kind = ANY (ARRAY[0, 1]))),
  constraint trends_type_check CHECK (((type >= 0) AND (type <= 19)))
);
CREATE INDEX trends_user ON trends USING btree (user_id, id DESC);
CREATE INDEX trends_user_public ON trends USING btree (user_id, id DESC) WHERE ((type >= 1) AND (type <= 11));
CREATE INDEX trends_user_target ON trends USING btree (user_id, target_id, type);
CREATE INDEX trends_user_type ON trends USING btree (user_id, type, id DESC);
CREATE UNIQUE INDEX trends_searched ON trends USING btree (user_id, target_id, (((created_at AT TIME ZONE 'Asia/Shanghai'::text))::date)) WHERE (type = 19);

-- accounts/bans

create table bans (
  id uuid not null,
  network cidr not null,
  reason text default ''::text not null,
  expires_at timestamp with time zone,
  user_id uuid,
  created_at timestamp with time zone not null,
  constraint bans_pkey PRIMARY KEY (id),
  constraint bans_network UNIQUE (network),
  constraint bans_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX bans_expires ON bans USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX bans_networks ON bans USING gist (network inet_ops);
CREATE INDEX bans_user ON bans USING btree (user_id) WHERE (user_id IS NOT NULL);

-- accounts/users

create table account_changes (
  id uuid not null,
  user_id uuid not null,
  "position" bigint generated always as identity not null,
  kind text not null,
  hash bytea not null,
  session_id uuid,
  old_value text,
  old_verified boolean not null,
  old_added_at timestamp with time zone,
  new_value text not null,
  device text not null,
  region text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  undone_at timestamp with time zone,
  constraint account_changes_pkey PRIMARY KEY (id),
  constraint account_changes_hash UNIQUE (hash),
  constraint account_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint account_changes_kind_check CHECK ((kind = ANY (ARRAY['email'::text, 'phone'::text, 'totp-on'::text, 'totp-off'::text, 'token'::text, 'password'::text])))
);
CREATE INDEX account_changes_expiry ON account_changes USING btree (expires_at);
CREATE INDEX account_changes_old_email ON account_changes USING btree (old_value) WHERE (kind = 'email'::text);
CREATE INDEX account_changes_user ON account_changes USING btree (user_id, "position");

create table accounts (
  user_id uuid not null,
  name text not null,
  email text,
  email_verified boolean default false not null,
  password_hash text not null,
  enabled boolean default true not null,
  must_change_password boolean default false not null,
  totp_secret text,
  totp_on boolean default false not null,
  totp_step bigint default 0 not null,
  updated_at timestamp with time zone not null,
  closing_at timestamp with time zone,
  phone text,
  email_added_at timestamp with time zone,
  phone_added_at timestamp with time zone,
  email_bounce text,
  constraint accounts_pkey PRIMARY KEY (user_id),
  constraint accounts_email_key UNIQUE (email),
  constraint accounts_name_key UNIQUE (name),
  constraint accounts_phone_key UNIQUE (phone),
  constraint accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint accounts_phone_check CHECK ((phone ~ '^1[3-9][0-9]{9}$'::text))
);
CREATE INDEX accounts_disabled ON accounts USING btree (user_id) WHERE (NOT enabled);
CREATE INDEX accounts_email_prefix ON accounts USING btree (email text_pattern_ops) WHERE (email IS NOT NULL);
CREATE INDEX accounts_name_prefix ON accounts USING btree (name text_pattern_ops);
CREATE INDEX accounts_totp ON accounts USING btree (user_id) WHERE (totp_secret IS NOT NULL);

create table api_tokens (
  id uuid not null,
  user_id uuid not null,
  name text not null,
  hash bytea not null,
  scopes text[] not null,
  expires_at timestamp with time zone,
  used_at timestamp with time zone,
  used_address text default ''::text not null,
  created_at timestamp with time zone not null,
  constraint api_tokens_pkey PRIMARY KEY (id),
  constraint api_tokens_hash UNIQUE (hash),
  constraint api_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX api_tokens_expires ON api_tokens USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX api_tokens_user ON api_tokens USING btree (user_id, id);

create table blocks (
  id uuid not null,
  user_id uuid not null,
  blocked_id uuid not null,
  created_at timestamp with time zone not null,
  constraint blocks_pkey PRIMARY KEY (id),
  constraint blocks_pair_key UNIQUE (user_id, blocked_id),
  constraint blocks_blocked_id_fkey FOREIGN KEY (blocked_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint blocks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint blocks_check CHECK ((user_id <> blocked_id))
);
CREATE INDEX blocks_blocked ON blocks USING btree (blocked_id);
CREATE INDEX blocks_user ON blocks USING btree (user_id, id DESC);

create table code_asks (
  key bytea not null,
  asked_at timestamp with time zone[] not null,
  expires_at timestamp with time zone not null,
  constraint code_asks_pkey PRIMARY KEY (key)
);
CREATE INDEX code_asks_expires ON code_asks USING btree (expires_at);

create table code_budgets (
  day date not null,
  way text not null,
  sent integer not null,
  constraint code_budgets_pkey PRIMARY KEY (day, way),
  constraint code_budgets_way_check CHECK ((way = ANY (ARRAY['mail'::text, 'sms'::text])))
);

create table codes (
  purpose text not null,
  target text not null,
  user_id uuid,
  hash bytea not null,
  attempts smallint default 0 not null,
  expires_at timestamp with time zone not null,
  constraint codes_pkey PRIMARY KEY (purpose, target),
  constraint codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX codes_expiry ON codes USING btree (expires_at);

create table follows (
  id uuid not null,
  follower_id uuid not null,
  user_id uuid not null,
  created_at timestamp with time zone not null,
  constraint follows_pkey PRIMARY KEY (id),
  constraint follows_pair_key UNIQUE (follower_id, user_id),
  constraint follows_follower_id_fkey FOREIGN KEY (follower_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint follows_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint follows_check CHECK ((follower_id <> user_id))
);
CREATE INDEX follows_follower ON follows USING btree (follower_id, id DESC);
CREATE INDEX follows_user ON follows USING btree (user_id, id DESC);

create table guesses (
  key text not null,
  empty_at timestamp with time zone not null,
  constraint guesses_pkey PRIMARY KEY (key)
);
CREATE INDEX guesses_empty ON guesses USING btree (empty_at);

create table notice_actors (
  notice_id uuid not null,
  user_id uuid not null,
  "position" bigint not null,
  constraint notice_actors_pkey PRIMARY KEY (notice_id, user_id),
  constraint notice_actors_notice_id_fkey FOREIGN KEY (notice_id) REFERENCES notices(id) ON DELETE CASCADE,
  constraint notice_actors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX notice_actors_newest ON notice_actors USING btree (notice_id, "position" DESC);
CREATE INDEX notice_actors_user ON notice_actors USING btree (user_id);

create table notice_boxes (
  user_id uuid not null,
  "position" bigint default 0 not null,
  read_to bigint default 0 not null,
  digest_to bigint default 0 not null,
  constraint notice_boxes_pkey PRIMARY KEY (user_id),
  constraint notice_boxes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX notice_boxes_digest ON notice_boxes USING btree (user_id) WHERE ("position" > digest_to);

create table notice_counts (
  user_id uuid not null,
  kind text not null,
  total integer default 0 not null,
  unread integer default 0 not null,
  constraint notice_counts_pkey PRIMARY KEY (user_id, kind),
  constraint notice_counts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table notice_events (
  notice_id uuid not null,
  event_id uuid not null,
  user_id uuid not null,
  "position" bigint not null,
  url text not null,
  excerpt text not null,
  told_at timestamp with time zone not null,
  constraint notice_events_pkey PRIMARY KEY (notice_id, event_id),
  constraint notice_events_notice_id_fkey FOREIGN KEY (notice_id) REFERENCES notices(id) ON DELETE CASCADE,
  constraint notice_events_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX notice_events_event ON notice_events USING btree (event_id);
CREATE INDEX notice_events_newest ON notice_events USING btree (notice_id, "position" DESC);
CREATE INDEX notice_events_user ON notice_events USING btree (user_id);

create table notices (
  id uuid not null,
  user_id uuid not null,
  kind text not null,
  text text not null,
  read_at timestamp with time zone,
  created_at timestamp with time zone not null,
  "position" bigint not null,
  target_id uuid not null,
  target_title text default ''::text not null,
  target_url text default ''::text not null,
  excerpt text default ''::text not null,
  actors integer default 0 not null,
  told_at timestamp with time zone not null,
  constraint notices_pkey PRIMARY KEY (id),
  constraint notices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX notices_target ON notices USING btree (user_id, kind, target_id, "position" DESC);
CREATE INDEX notices_user_kind ON notices USING btree (user_id, kind, "position" DESC);
CREATE UNIQUE INDEX notices_user ON notices USING btree (user_id, "position" DESC);

create table qr_tickets (
  hash bytea not null,
  secret_hash bytea not null,
  status text default 'waiting'::text not null,
  user_id uuid,
  claimed boolean default false not null,
  device text not null,
  address text not null,
  region text not null,
  expires_at timestamp with time zone not null,
  constraint qr_tickets_pkey PRIMARY KEY (hash),
  constraint qr_tickets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint qr_tickets_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'scanned'::text, 'confirmed'::text, 'cancelled'::text])))
);
CREATE INDEX qr_tickets_expiry ON qr_tickets USING btree (expires_at);

create table session_tokens (
  hash bytea not null,
  session_id uuid not null,
  issued_at timestamp with time zone not null,
  used_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  constraint session_tokens_pkey PRIMARY KEY (hash),
  constraint session_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);
CREATE INDEX session_tokens_expiry ON session_tokens USING btree (expires_at);
CREATE INDEX session_tokens_session ON session_tokens USING btree (session_id);

create table sessions (
  id uuid not null,
  user_id uuid not null,
  via text not null,
  device text not null,
  address text not null,
  region text not null,
  created_at timestamp with time zone not null,
  renewed_at timestamp with time zone not null,
  used_at timestamp with time zone not null,
  reauth_until timestamp with time zone,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_age ON sessions USING btree (renewed_at);
CREATE INDEX sessions_used ON sessions USING btree (used_at, id);
CREATE INDEX sessions_user_used ON sessions USING btree (user_id, used_at, id);

create table sign_in_failures (
  account text not null,
  address text not null,
  failures integer not null,
  last_at timestamp with time zone not null,
  constraint sign_in_failures_pkey PRIMARY KEY (account, address)
);
CREATE INDEX sign_in_failures_age ON sign_in_failures USING btree (last_at);

create table sign_in_networks (
  user_id uuid not null,
  network text not null,
  seen_at timestamp with time zone not null,
  constraint sign_in_networks_pkey PRIMARY KEY (user_id, network),
  constraint sign_in_networks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sign_in_networks_seen ON sign_in_networks USING btree (seen_at);

create table sign_ins (
  id uuid not null,
  user_id uuid,
  account text not null,
  succeeded boolean not null,
  via text not null,
  reason text,
  address text not null,
  region text not null,
  device text not null,
  created_at timestamp with time zone not null,
  constraint sign_ins_pkey PRIMARY KEY (id),
  constraint sign_ins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint sign_ins_reason CHECK ((succeeded = (reason IS NULL)))
);
CREATE INDEX sign_ins_address ON sign_ins USING btree (address, id DESC);
CREATE INDEX sign_ins_created ON sign_ins USING btree (created_at, id);
CREATE INDEX sign_ins_result ON sign_ins USING btree (succeeded, id DESC);
CREATE INDEX sign_ins_unknown ON sign_ins USING btree (account, id DESC) WHERE (user_id IS NULL);
CREATE INDEX sign_ins_user ON sign_ins USING btree (user_id, id DESC) WHERE (user_id IS NOT NULL);

create table spent_challenges (
  signature text not null,
  expires_at timestamp with time zone not null,
  constraint spent_challenges_pkey PRIMARY KEY (signature)
);
CREATE INDEX spent_challenges_expiry ON spent_challenges USING btree (expires_at);

create table unindexed_people (
  user_id uuid not null,
  renamed boolean default false not null,
  constraint unindexed_people_pkey PRIMARY KEY (user_id)
);

create table user_days (
  user_id uuid not null,
  day date not null,
  followers integer default 0 not null,
  constraint user_days_pkey PRIMARY KEY (user_id, day),
  constraint user_days_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table users (
  id uuid not null,
  display_name text not null,
  head_img text default ''::text not null,
  title text default ''::text not null,
  bio text default ''::text not null,
  gender text default 'unknown'::text not null,
  city text default ''::text not null,
  company text default ''::text not null,
  "position" text default ''::text not null,
  homepage text default ''::text not null,
  github text default ''::text not null,
  cur_identity smallint default 1 not null,
  region text default ''::text not null,
  invite_code text not null,
  invited_by uuid,
  member_until timestamp with time zone,
  notify jsonb default '{}'::jsonb not null,
  privacy jsonb default '{}'::jsonb not null,
  essay_count integer default 0 not null,
  read_count bigint default 0 not null,
  like_count bigint default 0 not null,
  follower_count integer default 0 not null,
  following_count integer default 0 not null,
  demo boolean default false not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  digest boolean default true not null,
  closed_at timestamp with time zone,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_invite_code_key UNIQUE (invite_code),
  constraint users_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint users_cur_identity_check CHECK ((cur_identity = ANY (ARRAY[1, 2])))
);
CREATE INDEX users_created ON users USING btree (created_at, id);
CREATE INDEX users_demo ON users USING btree (id) WHERE demo;
CREATE INDEX users_essays ON users USING btree (essay_count, id);
CREATE INDEX users_followers ON users USING btree (follower_count, id);
CREATE INDEX users_identity ON users USING btree (cur_identity, id);
CREATE INDEX users_invited_by ON users USING btree (invited_by, id DESC) WHERE (invited_by IS NOT NULL);
CREATE INDEX users_member ON users USING btree (member_until DESC, id DESC) WHERE (member_until IS NOT NULL);
CREATE INDEX users_name_prefix ON users USING btree (lower(display_name) COLLATE "C", id);
CREATE INDEX users_reads ON users USING btree (read_count, id);
CREATE INDEX users_writers ON users USING btree (id) WHERE (essay_count > 0);
CREATE TRIGGER users_queue_name_indexing AFTER INSERT OR DELETE ON users FOR EACH ROW EXECUTE FUNCTION queue_user_name_indexing();
CREATE TRIGGER users_queue_renamed_indexing AFTER UPDATE OF display_name ON users FOR EACH ROW WHEN ((old.display_name IS DISTINCT FROM new.display_name)) EXECUTE FUNCTION queue_user_name_indexing();
CREATE TRIGGER users_upload_uses_added AFTER INSERT OR UPDATE OF head_img ON users FOR EACH ROW WHEN ((new.head_img ~~ '%/files/%'::text)) EXECUTE FUNCTION upload_uses_tracked('avatar', 'id', 'id', 'head_img');
CREATE TRIGGER users_upload_uses_dropped AFTER DELETE OR UPDATE OF head_img ON users FOR EACH ROW WHEN ((old.head_img ~~ '%/files/%'::text)) EXECUTE FUNCTION upload_uses_tracked('avatar', 'id', 'id', 'head_img');

-- accounts/webhooks

create table webhook_deliveries (
  id uuid not null,
  endpoint_id uuid not null,
  event text not null,
  body text not null,
  status text not null,
  attempts smallint default 0 not null,
  next_at timestamp with time zone not null,
  code smallint,
  error text default ''::text not null,
  response text default ''::text not null,
  duration integer,
  log jsonb default '[]'::jsonb not null,
  created_at timestamp with time zone not null,
  constraint webhook_deliveries_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE,
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text])))
);
CREATE INDEX webhook_deliveries_created ON webhook_deliveries USING btree (created_at);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries USING btree (endpoint_id, next_at) WHERE (status = 'waiting'::text);
CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries USING btree (endpoint_id, id DESC);
CREATE INDEX webhook_deliveries_event ON webhook_deliveries USING btree (event, id DESC);
CREATE INDEX webhook_deliveries_status ON webhook_deliveries USING btree (status, id DESC);

create table webhook_endpoints (
  id uuid not null,
  name text not null,
  url text not null,
  events text[] not null,
  secret text not null,
  enabled boolean not null,
  failing_since timestamp with time zone,
  disabled_at timestamp with time zone,
  created_by uuid,
  created_at timestamp with time zone not null,
  constraint webhook_endpoints_pkey PRIMARY KEY (id),
  constraint webhook_endpoints_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL
);

-- admin/backups

create table backups (
  id uuid not null,
  made_by text not null,
  user_id uuid,
  status text not null,
  name text,
  bytes bigint,
  done bigint default 0 not null,
  total bigint default 0 not null,
  message text default ''::text not null,
  contents jsonb,
  attempts smallint default 0 not null,
  created_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  copied_at timestamp with time zone,
  copy_failed_at timestamp with time zone,
  copy_error text default ''::text not null,
  constraint backups_pkey PRIMARY KEY (id),
  constraint backups_name_key UNIQUE (name),
  constraint backups_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint backups_made_by_check CHECK ((made_by = ANY (ARRAY['manual'::text, 'scheduled'::text, 'command'::text, 'update'::text]))),
  constraint backups_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'failed'::text])))
);
CREATE INDEX backups_created ON backups USING btree (created_at DESC, id DESC);
CREATE UNIQUE INDEX backups_open ON backups USING btree ((true)) WHERE (status = ANY (ARRAY['waiting'::text, 'running'::text]));

-- admin/reports

create table reports (
  id uuid not null,
  kind text not null,
  target_id uuid not null,
  user_id uuid,
  reason text not null,
  detail text default ''::text not null,
  status smallint default 0 not null,
  result text default ''::text not null,
  handled_by uuid,
  handled_at timestamp with time zone,
  created_at timestamp with time zone not null,
  owner_id uuid,
  evidence jsonb,
  constraint reports_pkey PRIMARY KEY (id),
  constraint reports_handled_by_fkey FOREIGN KEY (handled_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint reports_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint reports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint reports_kind_check CHECK ((kind = ANY (ARRAY['essay'::text, 'comment'::text, 'user'::text, 'chat'::text, 'letter'::text]))),
  constraint reports_status_check CHECK (((status >= 0) AND (status <= 2)))
);
CREATE INDEX reports_handler ON reports USING btree (handled_by) WHERE (handled_by IS NOT NULL);
CREATE INDEX reports_kind ON reports USING btree (kind, id);
CREATE INDEX reports_kind_status ON reports USING btree (kind, status, id);
CREATE INDEX reports_owner ON reports USING btree (owner_id, id) WHERE (owner_id IS NOT NULL);
CREATE INDEX reports_reason ON reports USING btree (reason, id);
CREATE INDEX reports_status ON reports USING btree (status, id);
CREATE INDEX reports_user ON reports USING btree (user_id, id) WHERE (user_id IS NOT NULL);
CREATE UNIQUE INDEX reports_open ON reports USING btree (kind, target_id, user_id) WHERE (status = 0);

-- admin/stats

create table site_days (
  day date not null,
  reads bigint not null,
  registrations integer not null,
  publications integer not null,
  comments integer not null,
  messages integer not null,
  turnover bigint not null,
  refunded bigint not null,
  settled boolean not null,
  counted_at timestamp with time zone not null,
  constraint site_days_pkey PRIMARY KEY (day)
);

create table stat_tops (
  range text not null,
  essays jsonb not null,
  writers jsonb not null,
  computed_at timestamp with time zone not null,
  constraint stat_tops_pkey PRIMARY KEY (range)
);

-- admin/traffic

create table author_sources (
  author_id uuid not null,
  day date not null,
  value text not null,
  count bigint not null,
  constraint author_sources_pkey PRIMARY KEY (author_id, day, value),
  constraint author_sources_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint author_sources_value_check CHECK (((char_length(value) >= 1) AND (char_length(value) <= 200)))
);
CREATE INDEX author_sources_day ON author_sources USING btree (day);

create table traffic_days (
  day date not null,
  views bigint not null,
  visits bigint not null,
  visitors bigint default 0 not null,
  salt bytea,
  constraint traffic_days_pkey PRIMARY KEY (day)
);

create table traffic_values (
  day date not null,
  dimension text not null,
  value text not null,
  count bigint not null,
  constraint traffic_values_pkey PRIMARY KEY (day, dimension, value),
  constraint traffic_values_value_check CHECK (((char_length(value) >= 1) AND (char_length(value) <= 200)))
);

create table traffic_visitors (
  day date not null,
  visitor bytea not null,
  constraint traffic_visitors_pkey PRIMARY KEY (day, visitor)
);

-- admin/transfer

create table import_checks (
  transfer_id uuid not null,
  site text not null,
  result jsonb not null,
  mapping jsonb not null,
  repeated boolean not null,
  started boolean default false not null,
  constraint import_checks_pkey PRIMARY KEY (transfer_id),
  constraint import_checks_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES transfers(id) ON DELETE CASCADE
);
CREATE INDEX import_checks_site ON import_checks USING btree (site, transfer_id) WHERE started;

create table imported_sources (
  source_hash text not null,
  essay_id uuid,
  page_id uuid,
  transfer_id uuid,
  content_hash text not null,
  version integer default 1 not null,
  constraint imported_sources_pkey PRIMARY KEY (source_hash),
  constraint imported_sources_essay_id_fkey FOREIGN KEY (essay_id) REFERENCES essays(id) ON DELETE CASCADE,
  constraint imported_sources_page_id_fkey FOREIGN KEY (page_id) REFERENCES pages(id) ON DELETE CASCADE,
  constraint imported_sources_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES transfers(id) ON DELETE SET NULL,
  constraint imported_sources_check CHECK ((num_nonnulls(essay_id, page_id) = 1))
);
CREATE INDEX imported_sources_by_essay ON imported_sources USING btree (essay_id) WHERE (essay_id IS NOT NULL);
CREATE INDEX imported_sources_by_page ON imported_sources USING btree (page_id) WHERE (page_id IS NOT NULL);
CREATE INDEX imported_sources_by_transfer ON imported_sources USING btree (transfer_id) WHERE (transfer_id IS NOT NULL);

create table remote_picture_uses (
  picture_id uuid not null,
  essay_id uuid,
  page_id uuid,
  is_cover boolean not null,
  applied boolean default false not null,
  constraint remote_picture_uses_picture_id_essay_id_page_id_is_cover_key UNIQUE NULLS NOT DISTINCT (picture_id, essay_id, page_id, is_cover),
  constraint remote_picture_uses_essay_id_fkey FOREIGN KEY (essay_id) REFERENCES essays(id) ON DELETE CASCADE,
  constraint remote_picture_uses_page_id_fkey FOREIGN KEY (page_id) REFERENCES pages(id) ON DELETE CASCADE,
  constraint remote_picture_uses_picture_id_fkey FOREIGN KEY (picture_id) REFERENCES remote_pictures(id) ON DELETE CASCADE,
  constraint remote_picture_uses_check CHECK ((num_nonnulls(essay_id, page_id) = 1))
);
CREATE INDEX remote_picture_uses_essay ON remote_picture_uses USING btree (essay_id) WHERE (essay_id IS NOT NULL);
CREATE INDEX remote_picture_uses_page ON remote_picture_uses USING btree (page_id) WHERE (page_id IS NOT NULL);
CREATE INDEX remote_picture_uses_pending ON remote_picture_uses USING btree (picture_id) WHERE (NOT applied);

create table remote_pictures (
  id uuid not null,
  transfer_id uuid not null,
  url text not null,
  host text not null,
  status text default 'waiting'::text not null,
  attempts integer default 0 not null,
  error text default ''::text not null,
  path text,
  next_at timestamp with time zone not null,
  leased_until timestamp with time zone,
  kind text default 'picture'::text not null,
  constraint remote_pictures_pkey PRIMARY KEY (id),
  constraint remote_pictures_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES transfers(id) ON DELETE CASCADE,
  constraint remote_pictures_check CHECK (((status = 'done'::text) = (path IS NOT NULL))),
  constraint remote_pictures_kind_check CHECK ((kind = ANY (ARRAY['picture'::text, 'attachment'::text]))),
  constraint remote_pictures_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'done'::text, 'failed'::text])))
);
CREATE INDEX remote_pictures_by_status ON remote_pictures USING btree (transfer_id, status, id);
CREATE INDEX remote_pictures_due ON remote_pictures USING btree (next_at, id) WHERE (status = 'waiting'::text);
CREATE INDEX remote_pictures_leased ON remote_pictures USING btree (leased_until) WHERE (leased_until IS NOT NULL);
CREATE INDEX remote_pictures_listed ON remote_pictures USING btree (transfer_id, id);
CREATE UNIQUE INDEX remote_pictures_url ON remote_pictures USING btree (transfer_id, md5(url));
CREATE TRIGGER remote_pictures_upload_uses_added AFTER INSERT OR UPDATE OF path ON remote_pictures FOR EACH ROW WHEN ((new.path IS NOT NULL)) EXECUTE FUNCTION upload_uses_tracked('import', 'transfer_id', 'id', 'path');
CREATE TRIGGER remote_pictures_upload_uses_dropped AFTER DELETE OR UPDATE OF path ON remote_pictures FOR EACH ROW WHEN ((old.path IS NOT NULL)) EXECUTE FUNCTION upload_uses_tracked('import', 'transfer_id', 'id', 'path');

create table transfer_items (
  transfer_id uuid not null,
  key text not null,
  seq uuid not null,
  kind text not null,
  outcome text not null,
  title text not null,
  note text default ''::text not null,
  target_id uuid,
  detail jsonb,
  constraint transfer_items_pkey PRIMARY KEY (transfer_id, key),
  constraint transfer_items_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES transfers(id) ON DELETE CASCADE,
  constraint transfer_items_outcome_check CHECK ((outcome = ANY (ARRAY['created'::text, 'updated'::text, 'skipped'::text, 'removed'::text, 'kept'::text])))
);
CREATE INDEX transfer_items_target ON transfer_items USING btree (transfer_id, target_id) WHERE (target_id IS NOT NULL);
CREATE UNIQUE INDEX transfer_items_listed ON transfer_items USING btree (transfer_id, seq);

create table transfers (
  id uuid not null,
  kind text not null,
  scope text not null,
  format text not null,
  status text not null,
  author_id uuid,
  user_id uuid,
  own boolean default false not null,
  options jsonb default '{}'::jsonb not null,
  total integer default 0 not null,
  done integer default 0 not null,
  message text default ''::text not null,
  report jsonb default '[]'::jsonb not null,
  file_path text,
  file_name text default ''::text not null,
  file_bytes bigint default 0 not null,
  runner uuid,
  alive_at timestamp with time zone,
  failures integer default 0 not null,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  pictures_total integer default 0 not null,
  pictures_done integer default 0 not null,
  pictures_failed integer default 0 not null,
  constraint transfers_pkey PRIMARY KEY (id),
  constraint transfers_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint transfers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint transfers_kind_check CHECK ((kind = ANY (ARRAY['export'::text, 'import'::text]))),
  constraint transfers_scope_check CHECK ((scope = ANY (ARRAY['site'::text, 'author'::text]))),
  constraint transfers_status_check CHECK ((status = ANY (ARRAY['checking'::text, 'ready'::text, 'waiting'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text, 'undoing'::text, 'undone'::text])))
);
CREATE INDEX transfers_author ON transfers USING btree (author_id);
CREATE INDEX transfers_checked ON transfers USING btree (alive_at) WHERE (status = 'ready'::text);
CREATE INDEX transfers_file ON transfers USING btree (file_path) WHERE (file_path IS NOT NULL);
CREATE INDEX transfers_listed ON transfers USING btree (id) WHERE (NOT own);
CREATE INDEX transfers_under_way ON transfers USING btree (id) WHERE (status = ANY (ARRAY['checking'::text, 'waiting'::text, 'running'::text, 'undoing'::text]));
CREATE INDEX transfers_user ON transfers USING btree (user_id, id);

-- content/categories

create table categories (
  id uuid not null,
  slug text not null,
  name text not null,
  icon text not null,
  sort integer not null,
  enabled boolean default true not null,
  created_at timestamp with time zone not null,
  constraint categories_pkey PRIMARY KEY (id),
  constraint categories_slug_key UNIQUE (slug)
);

-- content/comments

create table comment_counts (
  essay_id uuid not null,
  count integer not null,
  constraint comment_counts_pkey PRIMARY KEY (essay_id),
  constraint comment_counts_essay_id_fkey FOREIGN KEY (essay_id) REFERENCES essays(id) ON DELETE CASCADE
);

create table comment_likes (
  comment_id uuid not null,
  user_id uuid not null,
  created_at timestamp with time zone not null,
  constraint comment_likes_pkey PRIMARY KEY (comment_id, user_id),
  constraint comment_likes_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES comments(id) ON DELETE CASCADE,
  constraint comment_likes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX comment_likes_user ON comment_likes USING btree (user_id);

create table comments (
  id uuid not null,
  essay_id uuid not null,
  root_id uuid,
  user_id uuid,
  reply_to_user_id uuid,
  status smallint not null,
  content text not null,
  masked text,
  html text not null,
  words text[] default '{}'::text[] not null,
  mentions text[] default '{}'::text[] not null,
  region text default ''::text not null,
  pinned boolean default false not null,
  like_count integer default 0 not null,
  reply_count integer default 0 not null,
  created_at timestamp with time zone not null,
  edited_at timestamp with time zone,
  guest_name text,
  guest_site text default ''::text not null,
  reply_to_guest_id uuid,
  highlight_id uuid,
  constraint comments_pkey PRIMARY KEY (id),
  constraint comments_essay_id_fkey FOREIGN KEY (essay_id) REFERENCES essays(id) ON DELETE CASCADE,
  constraint comments_highlight_id_fkey FOREIGN KEY (highlight_id) REFERENCES highlights(id) ON DELETE SET NULL,
  constraint comments_reply_to_guest_id_fkey FOREIGN KEY (reply_to_guest_id) REFERENCES comments(id) ON DELETE SET NULL,
  constraint comments_reply_to_user_id_fkey FOREIGN KEY (reply_to_user_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint comments_root_id_fkey FOREIGN KEY (root_id) REFERENCES comments(id) ON DELETE CASCADE,
  constraint comments_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint comments_guest_site CHECK (((guest_site = ''::text) OR (guest_name IS NOT NULL))),
  constraint comments_pinned_root CHECK (((NOT pinned) OR ((root_id IS NULL) AND (status = 0)))),
  constraint comments_status_check CHECK (((status >= 0) AND (status <= 3))),
  constraint comments_writer CHECK (((user_id IS NULL) = (guest_name IS NOT NULL)))
);
CREATE INDEX comments_answered ON comments USING btree (reply_to_user_id) WHERE (reply_to_user_id IS NOT NULL);
CREATE INDEX comments_answered_guest ON comments USING btree (reply_to_guest_id) WHERE (reply_to_guest_id IS NOT NULL);
CREATE INDEX comments_created ON comments USING btree (created_at, id);
CREATE INDEX comments_essay ON comments USING btree (essay_id, id DESC);
CREATE INDEX comments_guests ON comments USING btree (id DESC) WHERE (user_id IS NULL);
CREATE INDEX comments_highlight ON comments USING btree (highlight_id) WHERE (highlight_id IS NOT NULL);
CREATE INDEX comments_hot ON comments USING btree (essay_id, pinned DESC, like_count DESC, id DESC) WHERE ((root_id IS NULL) AND ((status = 0) OR (reply_count > 0)));
CREATE INDEX comments_likes ON comments USING btree (like_count, id);
CREATE INDEX comments_new ON comments USING btree (essay_id, pinned DESC, id DESC) WHERE ((root_id IS NULL) AND ((status = 0) OR (reply_count > 0)));
CREATE INDEX comments_own_held ON comments USING btree (user_id, essay_id, id DESC) WHERE (status = 1);
CREATE INDEX comments_replied ON comments USING btree (reply_count, id);
CREATE INDEX comments_replies ON comments USING btree (root_id, id) WHERE (root_id IS NOT NULL);
CREATE INDEX comments_status ON comments USING btree (status, id DESC) WHERE (status = ANY (ARRAY[1, 2]));
CREATE INDEX comments_user ON comments USING btree (user_id, id DESC);
CREATE INDEX comments_user_essay ON comments USING btree (user_id, essay_id);
CREATE TRIGGER comments_upload_uses_added AFTER INSERT OR UPDATE OF content, html ON comments FOR EACH ROW WHEN (((new.content ~~ '%/files/%'::text) OR (new.html ~~ '%/files/%'::text))) EXECUTE FUNCTION upload_uses_tracked('comment', 'id', 'id', 'content,html');
CREATE TRIGGER comments_upload_uses_dropped AFTER DELETE OR UPDATE OF content, html ON comments FOR EACH ROW WHEN (((old.content ~~ '%/files/%'::text) OR (old.html ~~ '%/files/%'::text))) EXECUTE FUNCTION upload_uses_tracked('comment', 'id', 'id', 'content,html');

create table imported_comments (
  essay_id uuid not null,
  source text not null,
  foreign_id text not null,
  comment_id uuid,
  transfer_id uuid not null,
  constraint imported_comments_pkey PRIMARY KEY (essay_id, source, foreign_id),
  constraint imported_comments_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES comments(id) ON DELETE SET NULL,
  constraint imported_comments_essay_id_fkey FOREIGN KEY (essay_id) REFERENCES essays(id) ON DELETE CASCADE
);
CREATE INDEX imported_comments_comment ON imported_comments USING btree (comment_id) WHERE (comment_id IS NOT NULL);
CREATE INDEX imported_comments_transfer ON imported_comments USING btree (transfer_id, essay_id);

-- content/covers

create table covers (
  id uuid not null,
  kind text not null,
  title text not null,
  image text not null,
  link text not null,
  sort integer not null,
  enabled boolean not null,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  created_at timestamp with time zone not null,
  summary text default ''::text not null,
  constraint covers_pkey PRIMARY KEY (id),
  constraint covers_kind_check CHECK ((kind = ANY (ARRAY['library'::text, 'banner'::text])))
);
CREATE INDEX covers_image ON covers USING btree (image) WHERE (kind = 'library'::text);
CREATE INDEX covers_order ON covers USING btree (kind, sort, id);
CREATE TRIGGER covers_upload_uses_added AFTER INSERT OR UPDATE OF image, link ON covers FOR EACH ROW WHEN (((new.image ~~ '%/files/%'::text) OR (new.link ~~ '%/files/%'::text))) EXECUTE FUNCTION upload_uses_tracked('cover', 'id', 'id', 'image,link');
CREATE TRIGGER covers_upload_uses_dropped AFTER DELETE OR UPDATE OF image, link ON covers FOR EACH ROW WHEN (((old.image ~~ '%/files/%'::text) OR (old.link ~~ '%/files/%'::text))) EXECUTE FUNCTION upload_uses_tracked('cover', 'id', 'id', 'image,link');

-- content/directory

create table expert_applications (
  id uuid not null,
  user_id uuid not null,
  real_name text not null,
  field text not null,
  intro text not null,
  works text[] default '{}'::text[] not null,
  contact text not null,
  status smallint default 0 not null,
  reason text default ''::text not null,
  decided_by uuid,
  decided_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint expert_applications_pkey PRIMARY KEY (id),
  constraint expert_applications_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint expert_applications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint expert_applications_status_check CHECK (((status >= 0) AND (status <= 2)))
);
CREATE INDEX expert_applications_created ON expert_applications USING btree (created_at, id);
CREATE INDEX expert_applications_decider ON expert_applications USING btree (decided_by) WHERE (decided_by IS NOT NULL);
CREATE INDEX expert_applications_name ON expert_applications USING btree (real_name text_pattern_ops);
CREATE INDEX expert_applications_status ON expert_applications USING btree (status, id);
CREATE INDEX expert_applications_user ON expert_applications USING btree (user_id, id DESC);
CREATE UNIQUE INDEX expert_applications_waiting ON expert_applications USING btree (user_id) WHERE (status = 0);

create table farmers (
  user_id uuid not null,
  skills text[] not null,
  years smallint default 0 not null,
  city text default ''::text not null,
  homepage text default ''::text not null,
  open_to_work boolean default false not null,
  intro text default ''::text not null,
  updated_at timestamp with time zone not null,
  constraint farmers_pkey PRIMARY KEY (user_id),
  constraint farmers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint farmers_skills_check CHECK ((cardinality(skills) > 0))
);
CREATE INDEX farmers_city ON farmers USING btree (city text_pattern_ops);
CREATE INDEX farmers_newest ON farmers USING btree (updated_at DESC, user_id DESC);
CREATE INDEX farmers_open ON farmers USING btree (updated_at DESC, user_id DESC) WHERE open_to_work;
CREATE INDEX farmers_skills ON farmers USING gin (skills) WITH (fastupdate=off);

create table star_picks (
  user_id uuid not null,
  note text default ''::text not null,
  sort integer not null,
  picked_at timestamp with time zone not null,
  constraint star_picks_pkey PRIMARY KEY (user_id),
  constraint star_picks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table star_rankings (
  range text not null,
  computed_at timestamp with time zone not null,
  constraint star_rankings_pkey PRIMARY KEY (range),
  constraint star_rankings_range_check CHECK ((range = ANY (ARRAY['week'::text, 'month'::text, 'all'::text])))
);

create table star_ranks (
  range text not null,
  rank smallint not null,
  user_id uuid not null,
  score bigint not null,
  reads bigint not null,
  likes bigint not null,
  collects bigint not null,
  rewards bigint not null,
  constraint star_ranks_pkey PRIMARY KEY (range, rank),
  constraint star_ranks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint star_ranks_range_check CHECK ((range = ANY (ARRAY['week'::text, 'month'::text, 'all'::text])))
);
CREATE INDEX star_ranks_user ON star_ranks USING btree (user_id);

-- content/downloads

create table essay_downloads (
  day date not null,
  essay_id uuid not null,
  reader bytea not null,
  constraint essay_downloads_pkey PRIMARY KEY (day, essay_id, reader),
  constraint essay_downloads_essay_id_fkey FOREIGN KEY (essay_id) REFERENCES essays(id) ON DELETE CASCADE
);
CREATE INDEX essay_downloads_essay ON essay_downloads USING btree (essay_id);

-- content/essays

create table collections (
  user_id uuid not null,
  essay_id uuid not null,
  id uuid not null,
  folder_id uuid not null,
  created_at timestamp with time zone not null,
  constraint collections_pkey PRIMARY KEY (user_id, essay_id),
  constraint collections_essay_id_fkey FOREIGN KEY (essay_id) REFERENCES essays(id) ON DELETE CASCADE,
  constraint collections_folder_id_fkey FOREIGN KEY (folder_id) REFERENCES folders(id) ON DELETE CASCADE,
  constraint collections_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX collections_essay ON collections USING btree (essay_id);
CREATE INDEX collections_folder ON collections USING btree (folder_id, id DESC);
CREATE INDEX collections_user ON collections USING btree (user_id, id DESC);

create table column_follows (
  user_id uuid not null,
  column_id uuid not null,
  created_at timestamp with time zone not null,
  constraint column_follows_pkey PRIMARY KEY (user_id, column_id),
  constraint column_follows_column_id_fkey FOREIGN KEY (column_id) REFERENCES columns(id) ON DELETE CASCADE,
  constraint column_follows_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX column_follows_column ON column_follows USING btree (column_id, user_id);
CREATE INDEX column_follows_newest ON column_follows USING btree (user_id, created_at DESC, column_id DESC);

create table columns (
  id uuid not null,
  author_id uuid not null,
  name text not null,
  summary text default ''::text not null,
  cover text default ''::text not null,
  price integer default 0 not null,
  essay_count integer default 0 not null,
  created_at timestamp with time zone not null,
  follower_count integer default 0 not null,
  constraint columns_pkey PRIMARY KEY (id),
  constraint columns_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX columns_author ON columns USING btree (author_id, id DESC);
CREATE INDEX columns_filled ON columns USING btree (id DESC) WHERE (essay_count > 0);
CREATE INDEX columns_name ON columns USING btree (lower(name) text_pattern_ops);
CREATE INDEX columns_priced ON columns USING btree (id) WHERE (price > 0);
CREATE INDEX columns_size ON columns USING btree (essay_count, id);
CREATE TRIGGER columns_upload_uses_added AFTER INSERT OR UPDATE OF cover ON columns FOR EACH ROW WHEN ((new.cover ~~ '%/files/%'::text)) EXECUTE FUNCTION upload_uses_tracked('column', 'id', 'id', 'cover');
CREATE TRIGGER columns_upload_uses_dropped AFTER DELETE OR UPDATE OF cover ON columns FOR EACH ROW WHEN ((old.cover ~~ '%/files/%'::text)) EXECUTE FUNCTION upload_uses_tracked('column', 'id', 'id', 'cover');

create table essay_counts (
  key text not null,
  count integer not null,
  constraint essay_counts_pkey PRIMARY KEY (key)
);

create table essay_days (
  essay_id uuid not null,
  day date not null,
  reads integer default 0 not null,
  likes integer default 0 not null,
  cmts integer default 0 not null,
  collects integer default 0 not null,
  shares integer default 0 not null,
  downloads integer default 0 not null,
  rewards integer default 0 not null,
  constraint essay_days_pkey PRIMARY KEY (essay_id, day),
  constraint essay_days_essay_id_fkey FOREIGN KEY (essay_id) REFERENCES essays(id) ON DELETE CASCADE
);
CREATE INDEX essay_days_day ON essay_days USING btree (day, essay_id);

create table essay_drawings (
  id uuid not null,
  essay_id uuid not null,
  version integer not null,
  source_hash text not null,
  light text not null,
  dark text not null,
  width integer not null,
  height integer not null,
  text text not null,
  constraint essay_drawings_pkey PRIMARY KEY (id),
  constraint essay_drawings_source UNIQUE (essay_id, version, source_hash),
  constraint essay_drawings_essay_id_fkey FOREIGN KEY (essay_id) REFERENCES essays(id) ON DELETE CASCADE
);

create table essay_history (
  user_id uuid not null,
  essay_id uuid not null,
  progress smallint default 0 not null,
  read_at timestamp with time zone not null,
  constraint essay_history_pkey PRIMARY KEY (user_id, essay_id),
  constraint essay_history_essay_id_fkey FOREIGN KEY (essay_id) REFERENCES essays(id) ON DELETE CASCADE,
  constraint essay_history_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX essay_history_essay ON essay_history USING btree (essay_id);
CREATE INDEX essay_history_user ON essay_history USING btree (user_id, read_at DESC, essay_id DESC);

create table essay_likes (
  user_id uuid not null,
  essay_id uuid not null,
  id uuid not null,
  created_at timestamp with time zone not null,
  constraint essay_likes_pkey PRIMARY KEY (user_id, essay_id),
  constraint essay_likes_essay_id_fkey FOREIGN KEY (essay_id) REFERENCES essays(id) ON DELETE CASCADE,
  constraint essay_likes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX essay_likes_essay ON essay_likes USING btree (essay_id, id DESC);
CREATE INDEX essay_likes_user ON essay_likes USING btree (user_id, id DESC);

create table essay_locked_texts (
  essay_id uuid not null,
  version integer not null,
  html text not null,
  toc jsonb not null,
  text text not null,
  constraint essay_locked_texts_pkey PRIMARY KEY (essay_id, version),
  constraint essay_locked_texts_essay_id_fkey FOREIGN KEY (essay_id) REFERENCES essays(id) ON DELETE CASCADE
);
CREATE TRIGGER essay_locked_texts_upload_uses_added AFTER INSERT OR UPDATE OF html ON essay_locked_texts FOR EACH ROW WHEN ((new.html ~~ '%/files/%'::text)) EXECUTE FUNCTION upload_uses_tracked('essay', 'essay_id', 'essay_id,version', 'html');
CREATE TRIGGER essay_locked_texts_upload_uses_dropped AFTER DELETE OR UPDATE OF html ON essay_locked_texts FOR EACH ROW WHEN ((old.html ~~ '%/files/%'::text)) EXECUTE FUNCTION upload_uses_tracked('essay', 'essay_id', 'essay_id,version', 'html');

create table essay_reads (
  day date not null,
  essay_id uuid not null,
  reader bytea not null,
  constraint essay_reads_pkey PRIMARY KEY (day, essay_id, reader),
  constraint essay_reads_essay_id_fkey FOREIGN KEY (essay_id) REFERENCES essays(id) ON DELETE CASCADE
);
CREATE INDEX essay_reads_essay ON essay_reads USING btree (essay_id);

create table essay_records (
  id uuid not null,
  essay_id uuid not null,
  user_id uuid,
  version integer not null,
  from_status smallint,
  to_status smallint not null,
  revision boolean not null,
  appeal boolean default false not null,
  reason text default ''::text not null,
  created_at timestamp with time zone not null,
  constraint essay_records_pkey PRIMARY KEY (id),
  constraint essay_records_essay_id_fkey FOREIGN KEY (essay_id) REFERENCES essays(id) ON DELETE CASCADE,
  constraint essay_records_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX essay_records_essay ON essay_records USING btree (essay_id, id DESC);
CREATE INDEX essay_records_shelved ON essay_records USING btree (created_at) WHERE ((to_status = 3) AND (NOT revision));

create table essay_revisions (
  essay_id uuid not null,
  version integer not null,
  auto boolean not null,
  title text not null,
  characters integer not null,
  fields jsonb not null,
  content text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  word_count integer,
  editor_id uuid,
  name text,
  merged integer default 0 not null,
  constraint essay_revisions_pkey PRIMARY KEY (essay_id, version),
  constraint essay_revisions_editor_id_fkey FOREIGN KEY (editor_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint essay_revisions_essay_id_fkey FOREIGN KEY (essay_id) REFERENCES essays(id) ON DELETE CASCADE,
  constraint essay_revisions_name_check CHECK ((name <> ''::text))
);
CREATE INDEX essay_revisions_editor ON essay_revisions USING btree (editor_id) WHERE (editor_id IS NOT NULL);
CREATE INDEX essay_revisions_named ON essay_revisions USING btree (essay_id, version DESC) WHERE (name IS NOT NULL);
CREATE INDEX essay_revisions_uncounted ON essay_revisions USING btree (essay_id, version) WHERE (word_count IS NULL);
CREATE TRIGGER essay_revisions_upload_uses_added AFTER INSERT OR UPDATE OF content, fields ON essay_revisions FOR EACH ROW WHEN (((new.content ~~ '%/files/%'::text) OR ((new.fields ->> 'cover'::text) ~~ '%/files/%'::text) OR ((new.fields ->> 'shareCover'::text) ~~ '%/files/%'::text) OR ((new.fields -> 'attachments'::text) <> '[]'::jsonb))) EXECUTE FUNCTION upload_uses_tracked('essay', 'essay_id', 'essay_id,version', 'content,fields');
CREATE TRIGGER essay_revisions_upload_uses_dropped AFTER DELETE OR UPDATE OF content, fields ON essay_revisions FOR EACH ROW WHEN (((old.content ~~ '%/files/%'::text) OR ((old.fields ->> 'cover'::text) ~~ '%/files/%'::text) OR ((old.fields ->> 'shareCover'::text) ~~ '%/files/%'::text) OR ((old.fields -> 'attachments'::text) <> '[]'::jsonb))) EXECUTE FUNCTION upload_uses_tracked('essay', 'essay_id', 'essay_id,version', 'content,fields');

create table essay_tags (
  tag text not null,
  published_at timestamp with time zone not null,
  essay_id uuid not null,
  constraint essay_tags_pkey PRIMARY KEY (tag, published_at, essay_id),
  constraint essay_tags_essay_id_fkey FOREIGN KEY (essay_id) REFERENCES essays(id) ON DELETE CASCADE
);
CREATE INDEX essay_tags_essay ON essay_tags USING btree (essay_id);

create table essay_texts (
  essay_id uuid not null,
  version integer not null,
  title text not null,
  html text not null,
  toc jsonb not null,
  text text not null,
  summary text not null,
  word_count integer not null,
  read_minutes integer not null,
  has_math boolean not null,
  has_diagrams boolean not null,
  words text[] default '{}'::text[] not null,
  constraint essay_texts_pkey PRIMARY KEY (essay_id, version),
  constraint essay_texts_essay_id_fkey FOREIGN KEY (essay_id) REFERENCES essays(id) ON DELETE CASCADE
);
CREATE TRIGGER essay_texts_upload_uses_added AFTER INSERT OR UPDATE OF html ON essay_texts FOR EACH ROW WHEN ((new.html ~~ '%/files/%'::text)) EXECUTE FUNCTION upload_uses_tracked('essay', 'essay_id', 'essay_id,version', 'html');
CREATE TRIGGER essay_texts_upload_uses_dropped AFTER DELETE OR UPDATE OF html ON essay_texts FOR EACH ROW WHEN ((old.html ~~ '%/files/%'::text)) EXECUTE FUNCTION upload_uses_tracked('essay', 'essay_id', 'essay_id,version', 'html');

create table essays (
  id uuid not null,
  author_id uuid not null,
  status smallint default 0 not null,
  revision_status smallint,
  version integer default 1 not null,
  submitted_version integer,
  shelved_version integer,
  title text default ''::text not null,
  summary text default ''::text not null,
  cover text default ''::text not null,
  category_id uuid,
  tags text[] default '{}'::text[] not null,
  price integer default 0 not null,
  member_free boolean default false not null,
  preview_percent smallint default 30 not null,
  allow_comment boolean default true not null,
  declaration text default 'none'::text not null,
  source text default ''::text not null,
  column_id uuid,
  column_sort integer default 0 not null,
  attachments text[] default '{}'::text[] not null,
  word_count integer default 0 not null,
  read_minutes integer default 0 not null,
  region text default ''::text not null,
  off_by_staff boolean default false not null,
  scheduled_at timestamp with time zone,
  submitted_at timestamp with time zone,
  published_at timestamp with time zone,
  updated_at timestamp with time zone not null,
  saved_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  read_count integer default 0 not null,
  like_count integer default 0 not null,
  cmt_count integer default 0 not null,
  collect_count integer default 0 not null,
  share_count integer default 0 not null,
  download_count integer default 0 not null,
  reward_count integer default 0 not null,
  hot_score double precision default 0 not null,
  slug text,
  author_pin smallint,
  site_pin smallint,
  recent_engagement integer default 0 not null,
  title_breaks smallint[] default '{}'::smallint[] not null,
  share_cover text default ''::text not null,
  constraint essays_pkey PRIMARY KEY (id),
  constraint essays_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint essays_category_id_fkey FOREIGN KEY (category_id) REFERENCES categories(id) ON DELETE RESTRICT,
  constraint essays_column_id_fkey FOREIGN KEY (column_id) REFERENCES columns(id) ON DELETE SET NULL,
  constraint essays_author_pin CHECK (((author_pin >= 1) AND (author_pin <= 3))),
  constraint essays_pinned_on_shelf CHECK (((status = 3) OR ((author_pin IS NULL) AND (site_pin IS NULL)))),
  constraint essays_revision_on_shelf CHECK (((revision_status IS NULL) OR (status = 3))),
  constraint essays_revision_status_check CHECK ((revision_status = ANY (ARRAY[0, 1, 5]))),
  constraint essays_shelved_text CHECK (((status <> 3) OR ((shelved_version IS NOT NULL) AND (published_at IS NOT NULL)))),
  constraint essays_site_pin CHECK (((site_pin >= 1) AND (site_pin <= 5))),
  constraint essays_slug_length CHECK (((char_length(slug) >= 2) AND (char_length(slug) <= 80))),
  constraint essays_status_check CHECK (((status >= 0) AND (status <= 5)))
);
CREATE INDEX essays_author ON essays USING btree (author_id, published_at DESC, id DESC) WHERE (status = 3);
CREATE INDEX essays_by_category ON essays USING btree (category_id) WHERE (deleted_at IS NULL);
CREATE INDEX essays_by_collects ON essays USING btree (collect_count, id) WHERE (deleted_at IS NULL);
CREATE INDEX essays_by_comments ON essays USING btree (cmt_count, id) WHERE (deleted_at IS NULL);
CREATE INDEX essays_by_likes ON essays USING btree (like_count, id) WHERE (deleted_at IS NULL);
CREATE INDEX essays_by_reads ON essays USING btree (read_count, id) WHERE (deleted_at IS NULL);
CREATE INDEX essays_category ON essays USING btree (category_id, published_at DESC, id DESC) WHERE (status = 3);
CREATE INDEX essays_category_hot ON essays USING btree (category_id, hot_score DESC, id DESC) WHERE (status = 3);
CREATE INDEX essays_column ON essays USING btree (column_id, column_sort, id) WHERE (column_id IS NOT NULL);
CREATE INDEX essays_column_published ON essays USING btree (column_id, published_at DESC, id DESC) WHERE ((status = 3) AND (column_id IS NOT NULL));
CREATE INDEX essays_hot ON essays USING btree (hot_score DESC, id DESC) INCLUDE (author_id) WHERE (status = 3);
CREATE INDEX essays_latest ON essays USING btree (published_at DESC, id DESC) WHERE (status = 3);
CREATE INDEX essays_member ON essays USING btree (saved_at DESC, id DESC) WHERE ((deleted_at IS NULL) AND member_free);
CREATE INDEX essays_mine ON essays USING btree (author_id, saved_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX essays_mine_status ON essays USING btree (author_id, status, saved_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX essays_paid ON essays USING btree (saved_at DESC, id DESC) WHERE ((deleted_at IS NULL) AND (price > 0));
CREATE INDEX essays_published ON essays USING btree (COALESCE(published_at, '-infinity'::timestamp with time zone), id) WHERE (deleted_at IS NULL);
CREATE INDEX essays_queue ON essays USING btree (submitted_at, id) WHERE ((submitted_at IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX essays_recent ON essays USING btree (saved_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX essays_recently_read ON essays USING btree (id) WHERE (recent_engagement <> 0);
CREATE INDEX essays_status ON essays USING btree (status, saved_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX essays_title ON essays USING btree (lower(title) text_pattern_ops) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX essays_author_pinned ON essays USING btree (author_id, author_pin) WHERE (author_pin IS NOT NULL);
CREATE UNIQUE INDEX essays_site_pinned ON essays USING btree (site_pin) WHERE (site_pin IS NOT NULL);
CREATE UNIQUE INDEX essays_slug_key ON essays USING btree (slug) WHERE (slug IS NOT NULL);
CREATE TRIGGER essays_upload_uses_added AFTER INSERT OR UPDATE OF cover, share_cover, attachments ON essays FOR EACH ROW WHEN (((new.cover ~~ '%/files/%'::text) OR (new.share_cover ~~ '%/files/%'::text) OR (cardinality(new.attachments) > 0))) EXECUTE FUNCTION upload_uses_tracked('essay', 'id', 'id', 'cover,share_cover,attachments');
CREATE TRIGGER essays_upload_uses_dropped AFTER DELETE OR UPDATE OF cover, share_cover, attachments ON essays FOR EACH ROW WHEN (((old.cover ~~ '%/files/%'::text) OR (old.share_cover ~~ '%/files/%'::text) OR (cardinality(old.attachments) > 0))) EXECUTE FUNCTION upload_uses_tracked('essay', 'id', 'id', 'cover,share_cover,attachments');

create table folders (
  id uuid not null,
  user_id uuid not null,
  name text not null,
  is_public boolean not null,
  is_default boolean not null,
  essay_count integer default 0 not null,
  created_at timestamp with time zone not null,
  constraint folders_pkey PRIMARY KEY (id),
  constraint folders_name_key UNIQUE (user_id, name),
  constraint folders_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX folders_default ON folders USING btree (user_id) WHERE is_default;

create table following_visits (
  user_id uuid not null,
  visited_at timestamp with time zone not null,
  constraint following_visits_pkey PRIMARY KEY (user_id),
  constraint following_visits_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table highlight_passages (
  essay_id uuid not null,
  passages jsonb default '[]'::jsonb not null,
  is_stale boolean default false not null,
  is_queued boolean default false not null,
  constraint highlight_passages_pkey PRIMARY KEY (essay_id),
  constraint highlight_passages_essay_id_fkey FOREIGN KEY (essay_id) REFERENCES essays(id) ON DELETE CASCADE
);

create table highlighted_essays (
  user_id uuid not null,
  essay_id uuid not null,
  count integer not null,
  updated_at timestamp with time zone not null,
  constraint highlighted_essays_pkey PRIMARY KEY (user_id, essay_id),
  constraint highlighted_essays_essay_id_fkey FOREIGN KEY (essay_id) REFERENCES essays(id) ON DELETE CASCADE,
  constraint highlighted_essays_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX highlighted_essays_essay ON highlighted_essays USING btree (essay_id);
CREATE INDEX highlighted_essays_user ON highlighted_essays USING btree (user_id, updated_at DESC, essay_id DESC);

create table highlights (
  id uuid not null,
  user_id uuid not null,
  essay_id uuid not null,
  color text not null,
  quote text not null,
  exact text not null,
  prefix text not null,
  suffix text not null,
  start_at integer not null,
  end_at integer not null,
  state text default 'found'::text not null,
  locked boolean not null,
  note text default ''::text not null,
  comment_id uuid,
  thought_status smallint,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint highlights_pkey PRIMARY KEY (id),
  constraint highlights_essay_id_fkey FOREIGN KEY (essay_id) REFERENCES essays(id) ON DELETE CASCADE,
  constraint highlights_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint highlights_color CHECK ((color = ANY (ARRAY['yellow'::text, 'green'::text, 'blue'::text, 'pink'::text]))),
  constraint highlights_range CHECK (((0 <= start_at) AND (start_at < end_at))),
  constraint highlights_state CHECK ((state = ANY (ARRAY['found'::text, 'moved'::text, 'orphaned'::text]))),
  constraint highlights_thought CHECK (((comment_id IS NULL) = (thought_status IS NULL)))
);
CREATE INDEX highlights_essay ON highlights USING btree (essay_id, user_id, id);
CREATE INDEX highlights_thoughts ON highlights USING btree (essay_id, start_at) WHERE (thought_status = 0);
CREATE INDEX highlights_user ON highlights USING btree (user_id, id DESC);
CREATE INDEX highlights_user_color ON highlights USING btree (user_id, color, id DESC);
CREATE INDEX highlights_user_essay ON highlights USING btree (user_id, essay_id, id DESC);
CREATE UNIQUE INDEX highlights_comment ON highlights USING btree (comment_id) WHERE (comment_id IS NOT NULL);

create table purchases (
  user_id uuid not null,
  target_id uuid not null,
  kind text not null,
  order_id uuid not null,
  created_at timestamp with time zone not null,
  constraint purchases_pkey PRIMARY KEY (user_id, target_id),
  constraint purchases_kind_check CHECK ((kind = ANY (ARRAY['essay'::text, 'column'::text])))
);
CREATE INDEX purchases_target ON purchases USING btree (target_id);

create table reindex_runs (
  id uuid not null,
  state text not null,
  term_version uuid not null,
  "position" uuid not null,
  done integer default 0 not null,
  total integer not null,
  started_by uuid,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint reindex_runs_pkey PRIMARY KEY (id),
  constraint reindex_runs_started_by_fkey FOREIGN KEY (started_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint reindex_runs_state_check CHECK ((state = ANY (ARRAY['running'::text, 'done'::text, 'cancelled'::text])))
);
CREATE INDEX reindex_runs_started_by ON reindex_runs USING btree (started_by);
CREATE UNIQUE INDEX reindex_runs_running ON reindex_runs USING btree (state) WHERE (state = 'running'::text);

create table tag_aliases (
  name text not null,
  to_name text,
  pending boolean not null,
  "position" uuid not null,
  created_at timestamp with time zone not null,
  constraint tag_aliases_pkey PRIMARY KEY (name),
  constraint tag_aliases_check CHECK ((name <> to_name))
);
CREATE INDEX tag_aliases_pending ON tag_aliases USING btree (created_at) WHERE pending;
CREATE INDEX tag_aliases_to ON tag_aliases USING btree (to_name);

create table tag_follows (
  user_id uuid not null,
  tag_id uuid not null,
  created_at timestamp with time zone not null,
  constraint tag_follows_pkey PRIMARY KEY (user_id, tag_id),
  constraint tag_follows_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags(id) ON DELETE CASCADE,
  constraint tag_follows_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX tag_follows_tag ON tag_follows USING btree (tag_id);
CREATE INDEX tag_follows_user ON tag_follows USING btree (user_id, created_at DESC, tag_id DESC);

create table tags (
  name text not null,
  id uuid not null,
  essay_count integer default 0 not null,
  constraint tags_pkey PRIMARY KEY (name),
  constraint tags_id_key UNIQUE (id)
);
CREATE INDEX tags_count ON tags USING btree (essay_count DESC, name) WHERE (essay_count > 0);
CREATE INDEX tags_lower ON tags USING btree (lower(name) text_pattern_ops);
CREATE INDEX tags_order ON tags USING btree (essay_count, id);

create table unindexed_essays (
  essay_id uuid not null,
  constraint unindexed_essays_pkey PRIMARY KEY (essay_id)
);

-- content/feeds

create table sitemap_parts (
  published_at timestamp with time zone not null,
  essay_id uuid not null,
  constraint sitemap_parts_pkey PRIMARY KEY (published_at, essay_id)
);

-- content/redirects

create table missing_paths (
  id uuid not null,
  path text not null,
  hits bigint not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  constraint missing_paths_pkey PRIMARY KEY (id),
  constraint missing_paths_path_length CHECK (((char_length(path) >= 1) AND (char_length(path) <= 500)))
);
CREATE INDEX missing_paths_hits ON missing_paths USING btree (hits, id);
CREATE INDEX missing_paths_last ON missing_paths USING btree (last_at, id);
CREATE UNIQUE INDEX missing_paths_path_key ON missing_paths USING btree (path);

create table redirects (
  id uuid not null,
  path text not null,
  query text default ''::text not null,
  target text,
  target_path text,
  essay_id uuid,
  transfer_id uuid,
  hits bigint default 0 not null,
  last_hit_at timestamp with time zone default '1970-01-01 00:00:00+00'::timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint redirects_pkey PRIMARY KEY (id),
  constraint redirects_essay_id_fkey FOREIGN KEY (essay_id) REFERENCES essays(id) ON DELETE CASCADE,
  constraint redirects_one_target CHECK (((target IS NULL) <> (essay_id IS NULL))),
  constraint redirects_path_length CHECK ((((char_length(path) >= 1) AND (char_length(path) <= 500)) AND (char_length(query) <= 500)))
);
CREATE INDEX redirects_created ON redirects USING btree (created_at, id);
CREATE INDEX redirects_essay ON redirects USING btree (essay_id) WHERE (essay_id IS NOT NULL);
CREATE INDEX redirects_hits ON redirects USING btree (hits, id);
CREATE INDEX redirects_last_hit ON redirects USING btree (last_hit_at, id);
CREATE INDEX redirects_path_prefix ON redirects USING btree (lower(path) text_pattern_ops);
CREATE INDEX redirects_target_path ON redirects USING btree (target_path) WHERE (target_path IS NOT NULL);
CREATE INDEX redirects_transfer ON redirects USING btree (transfer_id) WHERE (transfer_id IS NOT NULL);
CREATE UNIQUE INDEX redirects_path_key ON redirects USING btree (path, query);

-- content/shares

create table share_reads (
  day date not null,
  share_id uuid not null,
  reader bytea not null,
  constraint share_reads_pkey PRIMARY KEY (day, share_id, reader),
  constraint share_reads_share_id_fkey FOREIGN KEY (share_id) REFERENCES shares(id) ON DELETE CASCADE
);
CREATE INDEX share_reads_share ON share_reads USING btree (share_id);

create table shares (
  id uuid not null,
  code text not null,
  user_id uuid not null,
  essay_id uuid not null,
  channel text not null,
  is_first boolean not null,
  read_count integer default 0 not null,
  created_at timestamp with time zone not null,
  counted boolean default true not null,
  constraint shares_pkey PRIMARY KEY (id),
  constraint shares_channel_key UNIQUE (user_id, essay_id, channel),
  constraint shares_code_key UNIQUE (code),
  constraint shares_essay_id_fkey FOREIGN KEY (essay_id) REFERENCES essays(id) ON DELETE CASCADE,
  constraint shares_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX shares_essay ON shares USING btree (essay_id);
CREATE INDEX shares_shown ON shares USING btree (user_id, id DESC) WHERE is_first;
CREATE INDEX shares_user ON shares USING btree (user_id, id DESC) WHERE counted;
CREATE UNIQUE INDEX shares_first ON shares USING btree (user_id, essay_id) WHERE is_first;

-- content/site

create table announcements (
  id uuid not null,
  title text not null,
  content text not null,
  html text not null,
  link text not null,
  level text not null,
  sort integer not null,
  enabled boolean not null,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint announcements_pkey PRIMARY KEY (id),
  constraint announcements_check CHECK ((ends_at > starts_at))
);
CREATE INDEX announcements_order ON announcements USING btree (sort, id);
CREATE TRIGGER announcements_upload_uses_added AFTER INSERT OR UPDATE OF content, html, link ON announcements FOR EACH ROW WHEN (((new.content ~~ '%/files/%'::text) OR (new.html ~~ '%/files/%'::text) OR (new.link ~~ '%/files/%'::text))) EXECUTE FUNCTION upload_uses_tracked('announcement', 'id', 'id', 'content,html,link');
CREATE TRIGGER announcements_upload_uses_dropped AFTER DELETE OR UPDATE OF content, html, link ON announcements FOR EACH ROW WHEN (((old.content ~~ '%/files/%'::text) OR (old.html ~~ '%/files/%'::text) OR (old.link ~~ '%/files/%'::text))) EXECUTE FUNCTION upload_uses_tracked('announcement', 'id', 'id', 'content,html,link');

create table former_page_slugs (
  slug text not null,
  page_id uuid not null,
  created_at timestamp with time zone not null,
  constraint former_page_slugs_pkey PRIMARY KEY (slug),
  constraint former_page_slugs_page_id_fkey FOREIGN KEY (page_id) REFERENCES pages(id) ON DELETE CASCADE
);
CREATE INDEX former_page_slugs_page ON former_page_slugs USING btree (page_id);

create table friend_links (
  id uuid not null,
  name text not null,
  url text not null,
  description text not null,
  logo text not null,
  sort integer not null,
  enabled boolean not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint friend_links_pkey PRIMARY KEY (id)
);
CREATE INDEX friend_links_order ON friend_links USING btree (sort, id);
CREATE TRIGGER friend_links_upload_uses_added AFTER INSERT OR UPDATE OF logo ON friend_links FOR EACH ROW WHEN ((new.logo ~~ '%/files/%'::text)) EXECUTE FUNCTION upload_uses_tracked('friend-link', 'id', 'id', 'logo');
CREATE TRIGGER friend_links_upload_uses_dropped AFTER DELETE OR UPDATE OF logo ON friend_links FOR EACH ROW WHEN ((old.logo ~~ '%/files/%'::text)) EXECUTE FUNCTION upload_uses_tracked('friend-link', 'id', 'id', 'logo');

create table navigation (
  id boolean default true not null,
  header jsonb,
  footer jsonb,
  version integer default 1 not null,
  constraint navigation_pkey PRIMARY KEY (id),
  constraint navigation_id_check CHECK (id)
);
CREATE TRIGGER navigation_upload_uses_added AFTER INSERT OR UPDATE OF header, footer ON navigation FOR EACH ROW WHEN ((concat(new.header, new.footer) ~~ '%/files/%'::text)) EXECUTE FUNCTION upload_uses_tracked('navigation', '', 'id', 'header,footer');
CREATE TRIGGER navigation_upload_uses_dropped AFTER DELETE OR UPDATE OF header, footer ON navigation FOR EACH ROW WHEN ((concat(old.header, old.footer) ~~ '%/files/%'::text)) EXECUTE FUNCTION upload_uses_tracked('navigation', '', 'id', 'header,footer');

create table page_versions (
  version integer not null,
  title text not null,
  content text not null,
  user_id uuid,
  created_at timestamp with time zone not null,
  page_id uuid not null,
  constraint page_versions_pkey PRIMARY KEY (page_id, version),
  constraint page_versions_page_id_fkey FOREIGN KEY (page_id) REFERENCES pages(id) ON DELETE CASCADE,
  constraint page_versions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX page_versions_user ON page_versions USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE TRIGGER page_versions_upload_uses_added AFTER INSERT OR UPDATE OF content ON page_versions FOR EACH ROW WHEN ((new.content ~~ '%/files/%'::text)) EXECUTE FUNCTION upload_uses_tracked('page', 'page_id', 'page_id,version', 'content');
CREATE TRIGGER page_versions_upload_uses_dropped AFTER DELETE OR UPDATE OF content ON page_versions FOR EACH ROW WHEN ((old.content ~~ '%/files/%'::text)) EXECUTE FUNCTION upload_uses_tracked('page', 'page_id', 'page_id,version', 'content');

create table pages (
  slug text not null,
  title text not null,
  content text not null,
  html text not null,
  toc jsonb not null,
  version integer default 1 not null,
  updated_at timestamp with time zone not null,
  id uuid not null,
  published boolean not null,
  published_at timestamp with time zone,
  transfer_id uuid,
  import_key text,
  imported_version integer,
  constraint pages_pkey PRIMARY KEY (id),
  constraint pages_slug_key UNIQUE (slug)
);
CREATE INDEX pages_transfer ON pages USING btree (transfer_id, import_key) WHERE (transfer_id IS NOT NULL);
CREATE TRIGGER pages_upload_uses_added AFTER INSERT OR UPDATE OF content, html ON pages FOR EACH ROW WHEN (((new.content ~~ '%/files/%'::text) OR (new.html ~~ '%/files/%'::text))) EXECUTE FUNCTION upload_uses_tracked('page', 'id', 'id', 'content,html');
CREATE TRIGGER pages_upload_uses_dropped AFTER DELETE OR UPDATE OF content, html ON pages FOR EACH ROW WHEN (((old.content ~~ '%/files/%'::text) OR (old.html ~~ '%/files/%'::text))) EXECUTE FUNCTION upload_uses_tracked('page', 'id', 'id', 'content,html');

-- messaging/chats

create table chat_messages (
  conversation_id uuid not null,
  seq bigint not null,
  id uuid not null,
  client_id text not null,
  from_id uuid,
  kind text not null,
  content text not null,
  masked text,
  html text not null,
  image jsonb,
  reply_to_seq bigint,
  removed_at timestamp with time zone,
  removed_by uuid,
  created_at timestamp with time zone not null,
  folded text not null,
  tokens integer[] not null,
  constraint chat_messages_pkey PRIMARY KEY (conversation_id, seq),
  constraint chat_messages_client UNIQUE (from_id, conversation_id, client_id),
  constraint chat_messages_id UNIQUE (id),
  constraint chat_messages_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
  constraint chat_messages_from_id_fkey FOREIGN KEY (from_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint chat_messages_kind_check CHECK ((kind = ANY (ARRAY['text'::text, 'image'::text, 'essay'::text])))
);
CREATE INDEX chat_messages_created ON chat_messages USING brin (created_at) WITH (autosummarize='on');
CREATE INDEX chat_messages_removed ON chat_messages USING btree (conversation_id, seq) WHERE (removed_at IS NOT NULL);
CREATE INDEX chat_messages_tokens ON chat_messages USING gin (tokens) WITH (fastupdate=off);
CREATE TRIGGER chat_messages_upload_uses_added AFTER INSERT OR UPDATE OF image, html ON chat_messages FOR EACH ROW WHEN (((new.image IS NOT NULL) OR (new.html ~~ '%/files/%'::text))) EXECUTE FUNCTION upload_uses_tracked('chat', 'id', 'id', 'image,html');
CREATE TRIGGER chat_messages_upload_uses_dropped AFTER DELETE OR UPDATE OF image, html ON chat_messages FOR EACH ROW WHEN (((old.image IS NOT NULL) OR (old.html ~~ '%/files/%'::text))) EXECUTE FUNCTION upload_uses_tracked('chat', 'id', 'id', 'image,html');

create table contacts (
  user_a uuid not null,
  user_b uuid not null,
  from_id uuid not null,
  unanswered smallint not null,
  answered boolean default false not null,
  constraint contacts_pkey PRIMARY KEY (user_a, user_b),
  constraint contacts_user_a_fkey FOREIGN KEY (user_a) REFERENCES users(id) ON DELETE CASCADE,
  constraint contacts_user_b_fkey FOREIGN KEY (user_b) REFERENCES users(id) ON DELETE CASCADE,
  constraint contacts_check CHECK (((user_a < user_b) AND ((from_id = user_a) OR (from_id = user_b)))),
  constraint contacts_unanswered_check CHECK (((unanswered >= 0) AND (unanswered <= 3)))
);
CREATE INDEX contacts_b ON contacts USING btree (user_b);

create table conversation_members (
  conversation_id uuid not null,
  user_id uuid not null,
  read_seq bigint default 0 not null,
  listed_at timestamp with time zone,
  said_at timestamp with time zone,
  muted_until timestamp with time zone,
  left_at timestamp with time zone,
  constraint conversation_members_pkey PRIMARY KEY (conversation_id, user_id),
  constraint conversation_members_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
  constraint conversation_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX conversation_members_list ON conversation_members USING btree (user_id, listed_at DESC, conversation_id DESC);
CREATE INDEX conversation_members_muted ON conversation_members USING btree (conversation_id, muted_until) WHERE (muted_until IS NOT NULL);

create table conversations (
  id uuid not null,
  essay_id uuid,
  user_a uuid,
  user_b uuid,
  started_by uuid,
  last_seq bigint default 0 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint conversations_pkey PRIMARY KEY (id),
  constraint conversations_essay_id_key UNIQUE (essay_id),
  constraint conversations_pair UNIQUE (user_a, user_b),
  constraint conversations_essay_id_fkey FOREIGN KEY (essay_id) REFERENCES essays(id) ON DELETE CASCADE,
  constraint conversations_user_a_fkey FOREIGN KEY (user_a) REFERENCES users(id) ON DELETE CASCADE,
  constraint conversations_user_b_fkey FOREIGN KEY (user_b) REFERENCES users(id) ON DELETE CASCADE,
  constraint conversations_check CHECK (
CASE
    WHEN (essay_id IS NULL) THEN ((user_a < user_b) AND (user_b IS NOT NULL))
    ELSE ((user_a IS NULL) AND (user_b IS NULL))
END)
);
CREATE INDEX conversations_b ON conversations USING btree (user_b) WHERE (user_b IS NOT NULL);

create table letter_places (
  thread_id uuid not null,
  user_id uuid not null,
  read_seq integer default 0 not null,
  hidden_seq integer default 0 not null,
  unread integer default 0 not null,
  last_id uuid,
  constraint letter_places_pkey PRIMARY KEY (thread_id, user_id),
  constraint letter_places_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES letter_threads(id) ON DELETE CASCADE,
  constraint letter_places_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX letter_places_list ON letter_places USING btree (user_id, last_id DESC) WHERE (last_id IS NOT NULL);
CREATE INDEX letter_places_unread ON letter_places USING btree (user_id) WHERE (unread > 0);

create table letter_threads (
  id uuid not null,
  user_a uuid not null,
  user_b uuid not null,
  subject text not null,
  essay_id uuid,
  created_at timestamp with time zone not null,
  constraint letter_threads_pkey PRIMARY KEY (id),
  constraint letter_threads_essay_id_fkey FOREIGN KEY (essay_id) REFERENCES essays(id) ON DELETE SET NULL,
  constraint letter_threads_user_a_fkey FOREIGN KEY (user_a) REFERENCES users(id) ON DELETE CASCADE,
  constraint letter_threads_user_b_fkey FOREIGN KEY (user_b) REFERENCES users(id) ON DELETE CASCADE,
  constraint letter_threads_check CHECK ((user_a < user_b))
);
CREATE INDEX letter_threads_a ON letter_threads USING btree (user_a);
CREATE INDEX letter_threads_b ON letter_threads USING btree (user_b);
CREATE INDEX letter_threads_essay ON letter_threads USING btree (essay_id) WHERE (essay_id IS NOT NULL);

create table letters (
  id uuid not null,
  thread_id uuid not null,
  seq integer not null,
  from_id uuid not null,
  parent_id uuid,
  content text not null,
  masked text,
  html text not null,
  plain text not null,
  created_at timestamp with time zone not null,
  constraint letters_pkey PRIMARY KEY (id),
  constraint letters_seq UNIQUE (thread_id, seq),
  constraint letters_from_id_fkey FOREIGN KEY (from_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint letters_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES letters(id) ON DELETE SET NULL,
  constraint letters_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES letter_threads(id) ON DELETE CASCADE
);
CREATE INDEX letters_created ON letters USING btree (created_at);
CREATE INDEX letters_from ON letters USING btree (from_id);
CREATE INDEX letters_parent ON letters USING btree (parent_id) WHERE (parent_id IS NOT NULL);
CREATE TRIGGER letters_upload_uses_added AFTER INSERT OR UPDATE OF content, html ON letters FOR EACH ROW WHEN (((new.content ~~ '%/files/%'::text) OR (new.html ~~ '%/files/%'::text))) EXECUTE FUNCTION upload_uses_tracked('letter', 'id', 'id', 'content,html');
CREATE TRIGGER letters_upload_uses_dropped AFTER DELETE OR UPDATE OF content, html ON letters FOR EACH ROW WHEN (((old.content ~~ '%/files/%'::text) OR (old.html ~~ '%/files/%'::text))) EXECUTE FUNCTION upload_uses_tracked('letter', 'id', 'id', 'content,html');

-- of no module

create table live_attachments (
  id bigint default nextval('live_attachments_id_seq'::regclass) not null,
  created_at timestamp with time zone default now(),
  payload bytea,
  constraint live_attachments_pkey PRIMARY KEY (id)
);

create table migrations (
  name text not null,
  applied_at timestamp with time zone default now() not null,
  constraint migrations_pkey PRIMARY KEY (name)
);

create table rate_limits (
  key text not null,
  ends_at timestamp with time zone not null,
  count integer not null,
  constraint rate_limits_pkey PRIMARY KEY (key, ends_at)
);
CREATE INDEX rate_limits_end ON rate_limits USING btree (ends_at);

create table requests (
  user_id uuid not null,
  request_id text not null,
  content_hash bytea not null,
  response jsonb,
  created_at timestamp with time zone not null,
  constraint requests_pkey PRIMARY KEY (user_id, request_id),
  constraint requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX requests_age ON requests USING btree (created_at);

-- payments/members

create table member_plans (
  id uuid not null,
  name text not null,
  days integer not null,
  price integer not null,
  sort integer not null,
  enabled boolean default true not null,
  created_at timestamp with time zone not null,
  constraint member_plans_pkey PRIMARY KEY (id),
  constraint member_plans_days_check CHECK ((days > 0)),
  constraint member_plans_price_check CHECK ((price > 0))
);

create table member_terms (
  id uuid not null,
  user_id uuid not null,
  source text not null,
  days integer not null,
  until timestamp with time zone not null,
  order_id uuid,
  invitee_id uuid,
  reason text default ''::text not null,
  by_id uuid,
  created_at timestamp with time zone not null,
  constraint member_terms_pkey PRIMARY KEY (id),
  constraint member_terms_days_check CHECK ((days <> 0)),
  constraint member_terms_source_check CHECK ((source = ANY (ARRAY['order'::text, 'grant'::text, 'invite'::text, 'refund'::text])))
);
CREATE INDEX member_terms_user ON member_terms USING btree (user_id, id DESC);
CREATE UNIQUE INDEX member_terms_invite ON member_terms USING btree (invitee_id, user_id) WHERE (invitee_id IS NOT NULL);
CREATE UNIQUE INDEX member_terms_order ON member_terms USING btree (order_id, source) WHERE (order_id IS NOT NULL);

create table price_rules (
  single boolean default true not null,
  reward_min integer not null,
  reward_max integer not null,
  recharge_min integer not null,
  recharge_max integer not null,
  commission_percent integer not null,
  withdraw_min integer not null,
  refund_days integer not null,
  invite_days integer not null,
  constraint price_rules_pkey PRIMARY KEY (single),
  constraint price_rules_check CHECK ((reward_max >= reward_min)),
  constraint price_rules_check1 CHECK ((recharge_max >= recharge_min)),
  constraint price_rules_commission_percent_check CHECK (((commission_percent >= 0) AND (commission_percent <= 100))),
  constraint price_rules_single_check CHECK (single)
);

create table price_tiers (
  id uuid not null,
  kind text not null,
  amount integer not null,
  sort integer not null,
  enabled boolean default true not null,
  constraint price_tiers_pkey PRIMARY KEY (id),
  constraint price_tiers_amount_key UNIQUE (kind, amount),
  constraint price_tiers_amount_check CHECK ((amount > 0)),
  constraint price_tiers_kind_check CHECK ((kind = ANY (ARRAY['read'::text, 'reward'::text, 'recharge'::text])))
);

-- payments/orders

create table orders (
  id uuid not null,
  no text not null,
  user_id uuid not null,
  kind text not null,
  target_id uuid,
  title text not null,
  payee_id uuid,
  amount integer not null,
  commission integer not null,
  days integer default 0 not null,
  message text default ''::text not null,
  pay_by text not null,
  status smallint default 0 not null,
  request_id text,
  pay jsonb,
  trade_no text default ''::text not null,
  invoice jsonb,
  expires_at timestamp with time zone not null,
  ask_at timestamp with time zone not null,
  paid_at timestamp with time zone,
  refunded_at timestamp with time zone,
  refund_reason text default ''::text not null,
  refunded_by uuid,
  refund_settled_at timestamp with time zone,
  created_at timestamp with time zone not null,
  refund_attempt smallint default 1 not null,
  refund_problem text,
  constraint orders_pkey PRIMARY KEY (id),
  constraint orders_no_key UNIQUE (no),
  constraint orders_amount_check CHECK ((amount > 0)),
  constraint orders_check CHECK (((target_id IS NULL) = (kind = 'recharge'::text))),
  constraint orders_check1 CHECK (((payee_id IS NOT NULL) = (kind = ANY (ARRAY['read'::text, 'column'::text, 'reward'::text])))),
  constraint orders_check2 CHECK (((commission >= 0) AND (commission <= amount))),
  constraint orders_check3 CHECK (((days > 0) = (kind = 'member'::text))),
  constraint orders_check4 CHECK (((paid_at IS NOT NULL) = (status = ANY (ARRAY[1, 3])))),
  constraint orders_check5 CHECK (((refunded_at IS NOT NULL) = (status = 3))),
  constraint orders_kind_check CHECK ((kind = ANY (ARRAY['recharge'::text, 'read'::text, 'column'::text, 'reward'::text, 'member'::text]))),
  constraint orders_pay_by_check CHECK ((pay_by = ANY (ARRAY['balance'::text, 'alipay'::text, 'wechat'::text, 'sandbox'::text]))),
  constraint orders_refund_attempt_check CHECK (((refund_attempt >= 1) AND (refund_attempt <= 50))),
  constraint orders_refund_problem_check CHECK ((refund_problem = ANY (ARRAY['closed'::text, 'abnormal'::text, 'refused'::text]))),
  constraint orders_status_check CHECK (((status >= 0) AND (status <= 3)))
);
CREATE INDEX orders_amount ON orders USING btree (amount, id);
CREATE INDEX orders_created ON orders USING btree (created_at, id);
CREATE INDEX orders_invoice ON orders USING btree (id DESC) WHERE (invoice IS NOT NULL);
CREATE INDEX orders_paid ON orders USING btree (paid_at) WHERE (paid_at IS NOT NULL);
CREATE INDEX orders_payee ON orders USING btree (payee_id, target_id) INCLUDE (amount, commission) WHERE (status = 1);
CREATE INDEX orders_refund_settled ON orders USING btree (refund_settled_at) WHERE (refund_settled_at IS NOT NULL);
CREATE INDEX orders_refunded ON orders USING btree (refunded_at) WHERE (refunded_at IS NOT NULL);
CREATE INDEX orders_target ON orders USING btree (target_id) WHERE (status = 0);
CREATE INDEX orders_trade ON orders USING btree (trade_no) WHERE (trade_no <> ''::text);
CREATE INDEX orders_unfinished ON orders USING btree (status, id DESC) WHERE (status <> 1);
CREATE INDEX orders_user ON orders USING btree (user_id, id DESC);
CREATE INDEX orders_waiting ON orders USING btree (ask_at) WHERE (status = 0);
CREATE UNIQUE INDEX orders_request ON orders USING btree (user_id, request_id) WHERE (request_id IS NOT NULL);

create table rewards (
  id uuid not null,
  order_id uuid not null,
  user_id uuid not null,
  essay_id uuid not null,
  amount integer not null,
  message text default ''::text not null,
  reply text default ''::text not null,
  replied_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint rewards_pkey PRIMARY KEY (id),
  constraint rewards_order_key UNIQUE (order_id),
  constraint rewards_essay_id_fkey FOREIGN KEY (essay_id) REFERENCES essays(id) ON DELETE CASCADE,
  constraint rewards_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint rewards_amount_check CHECK ((amount > 0))
);
CREATE INDEX rewards_essay ON rewards USING btree (essay_id, id DESC);
CREATE INDEX rewards_user ON rewards USING btree (user_id, essay_id);

create table sandbox_payments (
  no text not null,
  title text not null,
  amount integer not null,
  trade_no text not null,
  declined boolean default false not null,
  expires_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  paid_at timestamp with time zone,
  refund_no text,
  refunded_at timestamp with time zone,
  constraint sandbox_payments_pkey PRIMARY KEY (no),
  constraint sandbox_payments_amount_check CHECK ((amount > 0)),
  constraint sandbox_payments_check CHECK (((refunded_at IS NULL) = (refund_no IS NULL)))
);
CREATE INDEX sandbox_payments_paid ON sandbox_payments USING btree (paid_at) WHERE (paid_at IS NOT NULL);
CREATE INDEX sandbox_payments_refunded ON sandbox_payments USING btree (refunded_at) WHERE (refunded_at IS NOT NULL);

create table untold_orders (
  order_id uuid not null,
  created_at timestamp with time zone not null,
  constraint untold_orders_pkey PRIMARY KEY (order_id)
);

-- payments/wallet

create table reconciliations (
  id uuid not null,
  day date not null,
  provider text not null,
  ledger jsonb not null,
  orders jsonb not null,
  statement jsonb,
  note text default ''::text not null,
  differences jsonb not null,
  created_at timestamp with time zone not null,
  constraint reconciliations_pkey PRIMARY KEY (id),
  constraint reconciliations_day_key UNIQUE (day, provider),
  constraint reconciliations_provider_check CHECK ((provider = ANY (ARRAY['balance'::text, 'alipay'::text, 'wechat'::text, 'sandbox'::text])))
);
CREATE INDEX reconciliations_list ON reconciliations USING btree (day DESC, id DESC);

create table withdrawals (
  id uuid not null,
  no text not null,
  user_id uuid not null,
  amount integer not null,
  account text not null,
  real_name text default ''::text not null,
  status smallint default 0 not null,
  reason text default ''::text not null,
  trade_no text default ''::text not null,
  decided_by uuid,
  decided_at timestamp with time zone,
  paid_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint withdrawals_pkey PRIMARY KEY (id),
  constraint withdrawals_no_key UNIQUE (no),
  constraint withdrawals_amount_check CHECK ((amount > 0)),
  constraint withdrawals_check CHECK (((trade_no <> ''::text) = (status = 3))),
  constraint withdrawals_check1 CHECK (((decided_at IS NULL) = (status = 0))),
  constraint withdrawals_check2 CHECK (((paid_at IS NOT NULL) = (status = 3))),
  constraint withdrawals_status_check CHECK (((status >= 0) AND (status <= 3)))
);
CREATE INDEX withdrawals_amount ON withdrawals USING btree (amount, id);
CREATE INDEX withdrawals_created ON withdrawals USING btree (created_at, id);
CREATE INDEX withdrawals_status ON withdrawals USING btree (status, id DESC);
CREATE INDEX withdrawals_user ON withdrawals USING btree (user_id, id DESC);

-- platform/dicts

create table dict_items (
  id uuid not null,
  dict_id uuid not null,
  value text not null,
  item text not null,
  sort integer not null,
  enabled boolean not null,
  created_at timestamp with time zone not null,
  constraint dict_items_pkey PRIMARY KEY (id),
  constraint dict_items_value_key UNIQUE (dict_id, value),
  constraint dict_items_dict_fkey FOREIGN KEY (dict_id) REFERENCES dicts(id)
);
CREATE INDEX dict_items_order ON dict_items USING btree (dict_id, sort, id);

create table dicts (
  id uuid not null,
  code text not null,
  name text not null,
  enabled boolean not null,
  created_at timestamp with time zone not null,
  constraint dicts_pkey PRIMARY KEY (id),
  constraint dicts_code_key UNIQUE (code)
);

-- platform/ledger

create table ledger_accounts (
  id bigint generated always as identity not null,
  account text not null,
  user_id uuid,
  provider text default ''::text not null,
  slot smallint default 0 not null,
  balance bigint default 0 not null,
  changed_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  key text generated always as (ledger_key(account, user_id, provider, slot)) stored not null,
  constraint ledger_accounts_pkey PRIMARY KEY (id),
  constraint ledger_accounts_key UNIQUE (key),
  constraint ledger_accounts_kind CHECK (
CASE account
    WHEN 'balance'::text THEN ((user_id IS NOT NULL) AND (provider = ''::text) AND (slot = 0))
    WHEN 'earnings'::text THEN ((user_id IS NOT NULL) AND (provider = ''::text) AND (slot = 0))
    WHEN 'commission'::text THEN ((user_id IS NULL) AND (provider = ''::text))
    WHEN 'refunds'::text THEN ((user_id IS NULL) AND (provider = ''::text))
    WHEN 'withdrawals'::text THEN ((user_id IS NULL) AND (provider = ''::text))
    WHEN 'clearing'::text THEN ((user_id IS NULL) AND (provider <> ''::text))
    ELSE false
END),
  constraint ledger_accounts_not_negative CHECK (((account <> 'balance'::text) OR (balance >= 0)))
);
CREATE INDEX ledger_accounts_user ON ledger_accounts USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE TRIGGER ledger_accounts_forbid_delete BEFORE DELETE ON ledger_accounts FOR EACH ROW EXECUTE FUNCTION ledger_forbid_change();
CREATE TRIGGER ledger_accounts_forbid_truncate BEFORE TRUNCATE ON ledger_accounts FOR EACH STATEMENT EXECUTE FUNCTION ledger_forbid_change();
CREATE TRIGGER ledger_accounts_forbid_update BEFORE UPDATE ON ledger_accounts FOR EACH ROW WHEN (((pg_trigger_depth() < 1) OR (((((old.id IS DISTINCT FROM new.id) OR (old.account IS DISTINCT FROM new.account)) OR (old.user_id IS DISTINCT FROM new.user_id)) OR (old.provider IS DISTINCT FROM new.provider)) OR (old.slot IS DISTINCT FROM new.slot)))) EXECUTE FUNCTION ledger_forbid_change();
CREATE TRIGGER ledger_accounts_start_at_zero BEFORE INSERT ON ledger_accounts FOR EACH ROW WHEN ((new.balance <> 0)) EXECUTE FUNCTION ledger_forbid_change();

create table ledger_entries (
  id uuid not null,
  kind text not null,
  title text not null,
  order_id uuid,
  withdrawal_id uuid,
  created_at timestamp with time zone not null,
  constraint ledger_entries_pkey PRIMARY KEY (id),
  constraint ledger_entries_order_key UNIQUE (order_id, kind),
  constraint ledger_entries_withdrawal_key UNIQUE (withdrawal_id, kind),
  constraint ledger_entries_filled TRIGGER DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX ledger_entries_created ON ledger_entries USING btree (created_at, id);
CREATE INDEX ledger_entries_kind ON ledger_entries USING btree (kind, id DESC);
CREATE CONSTRAINT TRIGGER ledger_entries_have_lines AFTER INSERT ON ledger_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_check_entry_has_lines();
CREATE TRIGGER ledger_entries_forbid_change BEFORE DELETE OR UPDATE ON ledger_entries FOR EACH ROW EXECUTE FUNCTION ledger_forbid_change();
CREATE TRIGGER ledger_entries_forbid_truncate BEFORE TRUNCATE ON ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION ledger_forbid_change();

create table ledger_lines (
  id uuid not null,
  entry_id uuid not null,
  account_id bigint not null,
  amount bigint not null,
  user_id uuid,
  balance_after bigint not null,
  "position" bigint default nextval('ledger_positions'::regclass) not null,
  created_at timestamp with time zone not null,
  constraint ledger_lines_pkey PRIMARY KEY (id),
  constraint ledger_lines_account_key UNIQUE (entry_id, account_id),
  constraint ledger_lines_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES ledger_entries(id),
  constraint ledger_lines_amount_check CHECK ((amount <> 0))
);
CREATE INDEX ledger_lines_account ON ledger_lines USING btree (account_id, created_at DESC, "position" DESC);
CREATE INDEX ledger_lines_user ON ledger_lines USING btree (user_id, created_at DESC, "position" DESC) WHERE (user_id IS NOT NULL);
CREATE INDEX ledger_lines_user_entry ON ledger_lines USING btree (user_id, entry_id DESC) WHERE (user_id IS NOT NULL);
CREATE TRIGGER ledger_lines_apply AFTER INSERT ON ledger_lines REFERENCING NEW TABLE AS new_lines FOR EACH STATEMENT EXECUTE FUNCTION ledger_apply_lines();
CREATE TRIGGER ledger_lines_forbid_change BEFORE DELETE OR UPDATE ON ledger_lines FOR EACH ROW EXECUTE FUNCTION ledger_forbid_change();
CREATE TRIGGER ledger_lines_forbid_truncate BEFORE TRUNCATE ON ledger_lines FOR EACH STATEMENT EXECUTE FUNCTION ledger_forbid_change();

-- platform/mail-sms

create table mails (
  id uuid not null,
  kind text not null,
  address text not null,
  status text default 'waiting'::text not null,
  attempts integer default 0 not null,
  permanent boolean default false not null,
  bounced boolean default false not null,
  reason text default ''::text not null,
  response text default ''::text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint mails_pkey PRIMARY KEY (id),
  constraint mails_status_known CHECK ((status = ANY (ARRAY['waiting'::text, 'sent'::text, 'failed'::text])))
);
CREATE INDEX mails_address ON mails USING btree (address, created_at DESC, id DESC);
CREATE INDEX mails_created ON mails USING btree (created_at DESC, id DESC);
CREATE INDEX mails_kind ON mails USING btree (kind, created_at DESC, id DESC);
CREATE INDEX mails_status ON mails USING btree (status, created_at DESC, id DESC);

-- platform/search

create table search_essays (
  id uuid not null,
  title text not null,
  folded_title text collate "C" not null,
  fresh real not null,
  stat real not null,
  tokens integer[] not null,
  impacts bytea not null,
  constraint search_essays_pkey PRIMARY KEY (id)
);
CREATE INDEX search_essays_title ON search_essays USING btree (folded_title);
CREATE INDEX search_essays_tokens ON search_essays USING gin (tokens) WITH (fastupdate=off);

create table search_hot (
  id uuid not null,
  stat real not null,
  tokens integer[] not null,
  fresh real not null,
  constraint search_hot_pkey PRIMARY KEY (id)
);
CREATE INDEX search_hot_tokens ON search_hot USING gin (tokens) WITH (fastupdate=off);

create table search_names (
  kind text not null,
  id uuid not null,
  form text collate "C" not null,
  name text not null,
  is_whole boolean not null,
  weight real not null,
  constraint search_names_pkey PRIMARY KEY (kind, id, form)
);
CREATE INDEX search_names_form ON search_names USING btree (kind, form);

create table search_new_words (
  id bigint generated always as identity not null,
  words text[] not null,
  constraint search_new_words_pkey PRIMARY KEY (id)
);

create table search_shares (
  token integer not null,
  share real not null,
  constraint search_shares_pkey PRIMARY KEY (token)
);

create table search_term_lists (
  version uuid not null,
  indexed_version uuid not null,
  constraint search_term_lists_pkey PRIMARY KEY (version)
);

create table search_terms (
  id uuid not null,
  word text not null,
  created_at timestamp with time zone not null,
  constraint search_terms_pkey PRIMARY KEY (id),
  constraint search_terms_word_key UNIQUE (word)
);

create table search_words (
  word text collate "C" not null,
  uses integer not null,
  keys integer[] not null,
  constraint search_words_pkey PRIMARY KEY (word)
);
CREATE INDEX search_words_keys ON search_words USING gin (keys) WITH (fastupdate=off);

-- platform/sensitive-words

create table word_lists (
  version uuid not null,
  constraint word_lists_pkey PRIMARY KEY (version)
);

create table words (
  id uuid not null,
  word text not null,
  key text not null,
  level text not null,
  note text not null,
  enabled boolean not null,
  created_at timestamp with time zone not null,
  constraint words_pkey PRIMARY KEY (id),
  constraint words_key_key UNIQUE (key),
  constraint words_level_check CHECK ((level = ANY (ARRAY['mask'::text, 'hold'::text, 'refuse'::text])))
);
CREATE INDEX words_level ON words USING btree (level, id DESC);

-- platform/settings

create table settings (
  key text not null,
  value jsonb not null,
  updated_at timestamp with time zone not null,
  constraint settings_pkey PRIMARY KEY (key)
);
CREATE TRIGGER settings_upload_uses_added AFTER INSERT OR UPDATE OF value ON settings FOR EACH ROW WHEN (((new.value)::text ~~ '%/files/%'::text)) EXECUTE FUNCTION upload_uses_tracked('setting', '', 'key', 'value');
CREATE TRIGGER settings_upload_uses_dropped AFTER DELETE OR UPDATE OF value ON settings FOR EACH ROW WHEN (((old.value)::text ~~ '%/files/%'::text)) EXECUTE FUNCTION upload_uses_tracked('setting', '', 'key', 'value');

-- platform/uploads

create table attachments (
  id uuid not null,
  user_id uuid not null,
  name text not null,
  type text not null,
  bytes integer not null,
  path text not null,
  created_at timestamp with time zone not null,
  is_used boolean default false not null,
  constraint attachments_pkey PRIMARY KEY (id),
  constraint attachments_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX attachments_name ON attachments USING btree (lower(name) text_pattern_ops);
CREATE INDEX attachments_path ON attachments USING btree (path);
CREATE INDEX attachments_size ON attachments USING btree (bytes, id);
CREATE INDEX attachments_unused ON attachments USING btree (id) WHERE (NOT is_used);
CREATE INDEX attachments_unused_size ON attachments USING btree (bytes, id) WHERE (NOT is_used);
CREATE INDEX attachments_unused_user ON attachments USING btree (user_id, id) WHERE (NOT is_used);
CREATE INDEX attachments_user ON attachments USING btree (user_id, id DESC);
CREATE TRIGGER attachments_counted AFTER INSERT OR DELETE ON attachments FOR EACH ROW EXECUTE FUNCTION upload_counted();

create table discarded_files (
  path text not null,
  discarded_at timestamp with time zone not null,
  constraint discarded_files_pkey PRIMARY KEY (path)
);
CREATE INDEX discarded_files_order ON discarded_files USING btree (discarded_at, path);

create table upload_totals (
  user_id uuid not null,
  image_bytes bigint default 0 not null,
  attachment_bytes bigint default 0 not null,
  image_quota bigint,
  attachment_quota bigint,
  constraint upload_totals_pkey PRIMARY KEY (user_id),
  constraint upload_totals_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint upload_totals_attachment_quota_check CHECK ((attachment_quota >= 0)),
  constraint upload_totals_image_quota_check CHECK ((image_quota >= 0))
);

create table upload_uses (
  source text not null,
  row_key text not null,
  kind text not null,
  target_id uuid,
  upload_id uuid,
  attachment_id uuid,
  constraint upload_uses_source_row_key_upload_id_attachment_id_key UNIQUE NULLS NOT DISTINCT (source, row_key, upload_id, attachment_id),
  constraint upload_uses_attachment_id_fkey FOREIGN KEY (attachment_id) REFERENCES attachments(id) ON DELETE CASCADE,
  constraint upload_uses_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES uploads(id) ON DELETE CASCADE,
  constraint upload_uses_check CHECK ((num_nonnulls(upload_id, attachment_id) = 1))
);
CREATE INDEX upload_uses_attachment ON upload_uses USING btree (attachment_id, kind, target_id) WHERE (attachment_id IS NOT NULL);
CREATE INDEX upload_uses_upload ON upload_uses USING btree (upload_id, kind, target_id) WHERE (upload_id IS NOT NULL);

create table uploads (
  id uuid not null,
  user_id uuid not null,
  path text not null,
  thumb_path text not null,
  width integer not null,
  height integer not null,
  bytes integer not null,
  created_at timestamp with time zone not null,
  middle_path text,
  is_used boolean default false not null,
  constraint uploads_pkey PRIMARY KEY (id),
  constraint uploads_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX uploads_middle ON uploads USING btree (middle_path) WHERE (middle_path IS NOT NULL);
CREATE INDEX uploads_path ON uploads USING btree (path);
CREATE INDEX uploads_size ON uploads USING btree (bytes, id);
CREATE INDEX uploads_thumb ON uploads USING btree (thumb_path);
CREATE INDEX uploads_unused ON uploads USING btree (id) WHERE (NOT is_used);
CREATE INDEX uploads_unused_size ON uploads USING btree (bytes, id) WHERE (NOT is_used);
CREATE INDEX uploads_unused_user ON uploads USING btree (user_id, id) WHERE (NOT is_used);
CREATE INDEX uploads_user ON uploads USING btree (user_id, id DESC);
CREATE TRIGGER uploads_counted AFTER INSERT OR DELETE ON uploads FOR EACH ROW EXECUTE FUNCTION upload_counted();

-- functions

CREATE OR REPLACE FUNCTION chat_message_insert(new_message jsonb, OUT new_seq bigint, OUT previous_message_at timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  message chat_messages := jsonb_populate_record(null::chat_messages, new_message);
  is_room boolean;
begin
  select last_seq + 1, essay_id is not null into message.seq, is_room
  from conversations where id = message.conversation_id for no key update;
  insert into chat_messages select message.* on conflict (from_id, conversation_id, client_id) do nothing;
  if not found then return; end if;
  new_seq := message.seq;
  update conversations set last_seq = new_seq, updated_at = greatest(updated_at, message.created_at)
  where id = message.conversation_id;
  select said_at into previous_message_at from conversation_members
  where conversation_id = message.conversation_id and user_id = message.from_id;
  -- Sending does not mark older unread messages as read.
  insert into conversation_members as member (conversation_id, user_id, read_seq, said_at)
  values (message.conversation_id, message.from_id, new_seq, message.created_at)
  on conflict (conversation_id, user_id) do update set
    read_seq = case when member.read_seq = new_seq - 1 then new_seq else member.read_seq end,
    said_at = message.created_at, left_at = null;
  if is_room then return; end if;
  update conversation_members set listed_at = message.created_at where conversation_id = message.conversation_id;
end
$function$;

CREATE OR REPLACE FUNCTION file_paths(content text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
RETURN ARRAY(SELECT DISTINCT match.match[1] AS match FROM regexp_matches(file_paths.content, '(/files/[0-9a-f]{2}/[0-9a-f]{62}\.[a-z0-9]{2,5})'::text, 'g'::text) match(match));

CREATE OR REPLACE FUNCTION ledger_apply_lines()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  line_count bigint;
  unbalanced uuid[];
  updated_count bigint;
  is_overdrawn boolean;
begin
  select sum(lines), array_agg(entry_id) filter (where lines < 2 or total <> 0) into line_count, unbalanced
  from (
    select entry_id, count(*) as lines, sum(amount) as total from new_lines group by entry_id
  ) as entries;
  if unbalanced is not null then
    raise exception 'not balanced: %', unbalanced
      using errcode = 'check_violation', constraint = 'ledger_entries_balanced';
  end if;
  with lines as (
    select account_id, user_id, amount, balance_after, created_at,
      balance_after - sum(amount) over until_here as balance_before_all,
      created_at >= lag(created_at, 1, created_at) over until_here as is_in_order
    from new_lines window until_here as (partition by account_id order by position)
  ), changes as (
    select account_id, user_id, balance_before_all, count(*) as lines, sum(amount) as amount,
      min(created_at) as first_at, max(created_at) as last_at, min(balance_after) as lowest
    from lines group by account_id, user_id, balance_before_all having bool_and(is_in_order)
  ), updated as (
    update ledger_accounts as account set balance = balance + change.amount, changed_at = change.last_at
    from changes as change
    where account.id = change.account_id and account.balance = change.balance_before_all
      and account.changed_at <= change.first_at and account.user_id is not distinct from change.user_id
    returning change.lines, account.account = 'balance' and change.lowest < 0 as is_overdrawn
  )
  select coalesce(sum(updated.lines), 0), bool_or(updated.is_overdrawn) into updated_count, is_overdrawn from updated;
  if updated_count < line_count then
    raise exception 'ledger lines do not match the balances of their accounts'
      using errcode = 'check_violation', constraint = 'ledger_lines_follow';
  end if;
  -- The check of the table sees only the last balance.
  if is_overdrawn then
    raise exception 'a balance is negative between two ledger lines'
      using errcode = 'check_violation', constraint = 'ledger_accounts_not_negative';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION ledger_check_entry_has_lines()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
begin
  if not exists (select from ledger_lines where entry_id = new.id) then
    raise exception 'not balanced: % has no lines', new.id
      using errcode = 'check_violation', constraint = 'ledger_entries_balanced';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION ledger_forbid_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('mozhan.ledger', true) = 'demo removal' then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  raise exception '% of % is not allowed: the ledger is append-only', tg_op, tg_table_name
    using errcode = 'check_violation', constraint = 'ledger_append_only';
end
$function$;

CREATE OR REPLACE FUNCTION ledger_key(account text, user_id uuid, provider text, slot smallint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((((account || ':'::text) || COALESCE((user_id)::text, provider)) || ':'::text) || (slot)::text);

CREATE OR REPLACE FUNCTION ledger_lock(entries jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  keys text[] := array(
    select distinct ledger_key(account, user_id, provider, slot)
    from jsonb_array_elements(entries) as entry,
      jsonb_to_recordset(entry -> 'lines') as line (account text, user_id uuid, provider text, slot smallint)
  );
  locked_count bigint;
begin
  for attempt in 1..2 loop
    perform from ledger_accounts where key = any (keys) order by user_id is null, id for no key update;
    get diagnostics locked_count = row_count;
    exit when locked_count = cardinality(keys);
    insert into ledger_accounts (account, user_id, provider, slot)
    select distinct account, user_id, provider, slot
    from jsonb_array_elements(entries) as entry,
      jsonb_to_recordset(entry -> 'lines') as line (account text, user_id uuid, provider text, slot smallint)
    order by account, user_id, provider, slot
    on conflict do nothing;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION ledger_post(entry jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
begin
  perform ledger_post(
    (entry ->> 'id')::uuid, entry ->> 'kind', entry ->> 'title', (entry ->> 'order_id')::uuid, null,
    (entry ->> 'created_at')::timestamptz,
    array_agg(id), array_agg(account), array_agg(user_id), array_agg(provider), array_agg(slot), array_agg(amount)
  )
  from jsonb_to_recordset(entry -> 'lines')
    as line (id uuid, account text, user_id uuid, provider text, slot smallint, amount bigint);
end
$function$;

CREATE OR REPLACE FUNCTION ledger_post(new_entry uuid, new_kind text, new_title text, new_order uuid, new_withdrawal uuid, at timestamp with time zone, line_ids uuid[], accounts text[], user_ids uuid[], providers text[], slots smallint[], amounts bigint[])
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  keys text[] := array(
    select ledger_key(account, user_id, provider, slot)
    from unnest(accounts, user_ids, providers, slots) as line (account, user_id, provider, slot)
  );
  locked ledger_accounts[];
begin
  for attempt in 1..2 loop
    -- One lock order for everyone prevents deadlocks: users' accounts before the platform's, each by id.
    locked := array(
      select target from ledger_accounts as target where key = any (keys)
      order by user_id is null, id for no key update
    );
    exit when cardinality(locked) = cardinality(keys);
    -- The fixed order prevents deadlocks between transactions that insert the same accounts.
    insert into ledger_accounts (account, user_id, provider, slot)
    select * from unnest(accounts, user_ids, providers, slots) as line (account, user_id, provider, slot)
    order by account, user_id, provider, slot
    on conflict do nothing;
  end loop;
  insert into ledger_entries (id, kind, title, order_id, withdrawal_id, created_at)
  values (new_entry, new_kind, new_title, new_order, new_withdrawal, at);
  insert into ledger_lines (id, entry_id, account_id, amount, user_id, balance_after, created_at)
  select line.id, new_entry, target.id, line.amount, target.user_id,
    target.balance + line.amount, greatest(target.changed_at, at)
  from unnest(line_ids, keys, amounts) as line (id, key, amount)
  join unnest(locked) as target on target.key = line.key;
end
$function$;

CREATE OR REPLACE FUNCTION ledger_post_all(entries jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
begin
  insert into ledger_entries (id, kind, title, order_id, created_at)
  select id, kind, title, order_id, created_at
  from jsonb_to_recordset(entries) as entry (id uuid, kind text, title text, order_id uuid, created_at timestamptz);
  insert into ledger_lines (id, entry_id, account_id, amount, user_id, balance_after, created_at)
  select line.id, entry.id, target.id, line.amount, target.user_id,
    target.balance + sum(line.amount) over until_here,
    greatest(target.changed_at, max(entry.created_at) over until_here)
  from rows from (
      jsonb_to_recordset(entries) as (id uuid, created_at timestamptz, lines jsonb)
    ) with ordinality as entry (id, created_at, lines, place)
  cross join jsonb_to_recordset(entry.lines)
    as line (id uuid, account text, user_id uuid, provider text, slot smallint, amount bigint)
  join ledger_accounts as target
    on target.key = ledger_key(line.account, line.user_id, line.provider, line.slot)
  window until_here as (partition by target.id order by entry.place)
  -- The column `position` gets its values in this order.
  order by entry.place;
end
$function$;

CREATE OR REPLACE FUNCTION order_buy(new_order jsonb, purchase_kind text)
 RETURNS boolean
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  new_row orders := jsonb_populate_record(null::orders, new_order);
begin
  if purchase_kind = 'essay' then
    perform from essays
    where id = new_row.target_id and author_id = new_row.payee_id and price = new_row.amount
      and status = 3 and deleted_at is null
    for key share;
  else
    perform from columns
    where id = new_row.target_id and author_id = new_row.payee_id and price = new_row.amount and essay_count > 0
    for key share;
  end if;
  if not found or exists (
    select from orders where target_id = new_row.target_id and user_id = new_row.user_id and status = 0
  ) then
    return null;
  end if;
  return (order_insert(new_order, purchase_kind)).inserted;
end
$function$;

CREATE OR REPLACE FUNCTION order_buy_all(batch jsonb)
 RETURNS TABLE(order_id uuid, inserted boolean)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  purchase jsonb;
  together record;
begin
  perform ledger_lock(jsonb_path_query_array(batch, '$[*].entry'));
  begin
    together := order_buy_together(batch);
    return query
      select id, case when id = any (together.inserted) then true when id = any (together.allowed) then false end
      from (select (value -> 'order' ->> 'id')::uuid as id from jsonb_array_elements(batch)) as orders_of_batch;
    return;
  exception when integrity_constraint_violation then
    -- One purchase must not fail the others, so each is made alone, in the same transaction.
  end;
  for purchase in select value from jsonb_array_elements(batch) loop
    order_id := (purchase -> 'order' ->> 'id')::uuid;
    begin
      inserted := order_buy(purchase -> 'order', purchase ->> 'kind');
      if inserted then perform ledger_post(purchase -> 'entry'); end if;
    exception when integrity_constraint_violation then
      inserted := null;
    end;
    return next;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION order_buy_together(batch jsonb, OUT allowed uuid[], OUT inserted uuid[])
 RETURNS record
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
declare
  new_orders orders[] := array(
    select new_order from jsonb_populate_recordset(null::orders, jsonb_path_query_array(batch, '$[*].order')) as new_order
    where not exists (
      select from orders where target_id = new_order.target_id and user_id = new_order.user_id and status = 0
    )
  );
begin
  allowed := array(
    select new_order.id from unnest(new_orders) as new_order join essays on essays.id = new_order.target_id
    where new_order.kind = 'read' and essays.author_id = new_order.payee_id and essays.price = new_order.amount
      and essays.status = 3 and essays.deleted_at is null
    for key share of essays
  ) || array(
    select new_order.id from unnest(new_orders) as new_order join columns on columns.id = new_order.target_id
    where new_order.kind = 'column' and columns.author_id = new_order.payee_id and columns.price = new_order.amount
      and columns.essay_count > 0
    for key share of columns
  );
  with inserted_orders as (
    insert into orders select new_order.* from unnest(new_orders) as new_order where new_order.id = any (allowed)
    on conflict (user_id, request_id) where request_id is not null do nothing
    returning id, user_id, target_id, kind, created_at
  ), inserted_untold as (
    insert into untold_orders (order_id, created_at) select id, created_at from inserted_orders
  ), inserted_purchases as (
    insert into purchases (user_id, target_id, kind, order_id, created_at)
    select user_id, target_id, case kind when 'read' then 'essay' else kind end, id, created_at from inserted_orders
  )
  select array_agg(id) into inserted from inserted_orders;
  if inserted is null then return; end if;
  perform ledger_post_all(jsonb_agg(purchase -> 'entry' order by place))
  from jsonb_array_elements(batch) with ordinality as all_purchases (purchase, place)
  where (purchase -> 'order' ->> 'id')::uuid = any (inserted);
end
$function$;

CREATE OR REPLACE FUNCTION order_insert(new_order jsonb, purchase_kind text, OUT inserted boolean, OUT cancelled uuid[])
 RETURNS record
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  new_row orders := jsonb_populate_record(null::orders, new_order);
begin
  cancelled := '{}';
  insert into orders select new_row.*
  on conflict (user_id, request_id) where request_id is not null do nothing;
  inserted := found;
  if not inserted then return; end if;
  insert into untold_orders (order_id, created_at) values (new_row.id, new_row.created_at);
  if purchase_kind is null then return; end if;
  insert into purchases (user_id, target_id, kind, order_id, created_at)
  values (new_row.user_id, new_row.target_id, purchase_kind, new_row.id, new_row.created_at);
  -- An order whose payment is being processed is locked and skipped; that payment then finds the purchase.
  with unpaid as (
    select id from orders
    where target_id = new_row.target_id and user_id = new_row.user_id and status = 0 and id <> new_row.id
    for no key update skip locked
  ), updated as (
    update orders set status = 2 from unpaid where orders.id = unpaid.id returning orders.id
  )
  select coalesce(array_agg(id), '{}') into cancelled from updated;
end
$function$;

CREATE OR REPLACE FUNCTION order_target(buyer uuid, essay uuid)
 RETURNS TABLE(title text, price integer, author_id uuid, status smallint, was_published boolean, is_deleted boolean, is_owned boolean, is_blocked boolean)
 LANGUAGE plpgsql
 ROWS 1
 SET enable_seqscan TO 'off'
AS $function$
begin
  return query
    select essays.title, essays.price, essays.author_id, essays.status,
      published_at is not null, deleted_at is not null,
      exists (select 1 from purchases where user_id = buyer and target_id = essays.id)
        or exists (select 1 from purchases where user_id = buyer and target_id = essays.column_id),
      exists (select 1 from blocks where user_id = essays.author_id and blocked_id = buyer)
    from essays where id = essay for key share;
end
$function$;

CREATE OR REPLACE FUNCTION queue_user_name_indexing()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- The upsert locks the row, so the indexing job skips it until this transaction commits the new name.
  insert into unindexed_people (user_id, renamed) values (coalesce(new.id, old.id), tg_op = 'UPDATE')
  on conflict (user_id) do update set renamed = unindexed_people.renamed or excluded.renamed;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION track_upload_uses(tracked regclass, kind text, target text, keys text, columns text, condition text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format(
    'create trigger %I after insert or update of %s on %s for each row when (%s)
      execute function upload_uses_tracked(%L, %L, %L, %L)',
    tracked || '_upload_uses_added', columns, tracked, replace(condition, '@', 'new'), kind, target, keys, columns);
  execute format(
    'create trigger %I after delete or update of %s on %s for each row when (%s)
      execute function upload_uses_tracked(%L, %L, %L, %L)',
    tracked || '_upload_uses_dropped', columns, tracked, replace(condition, '@', 'old'), kind, target, keys, columns);
  -- Rows from before.
  execute format(
    'select upload_uses_set(%1$L, key, %2$L, target, file_paths(content), ids) from (
      select concat_ws('':'', %3$s) as key, %4$s::uuid as target, concat_ws('' '', %5$s) as content, array(
        select value::uuid from jsonb_array_elements_text(coalesce(
          to_jsonb(it) -> ''attachments'', to_jsonb(it) -> ''fields'' -> ''attachments'', ''[]''))) as ids
      from %1$s as it where %6$s) as known',
    tracked, kind, keys, coalesce(nullif(target, ''), 'null'), columns, replace(condition, '@', 'it'));
end $function$;

CREATE OR REPLACE FUNCTION upload_counted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  images bigint := 0;
  files bigint := 0;
begin
  if tg_table_name = 'uploads' then
    images := case when tg_op = 'INSERT' then new.bytes else -old.bytes end;
  else
    files := case when tg_op = 'INSERT' then new.bytes else -old.bytes end;
  end if;
  if tg_op = 'INSERT' then
    insert into upload_totals (user_id, image_bytes, attachment_bytes) values (new.user_id, images, files)
    on conflict (user_id) do update set
      image_bytes = upload_totals.image_bytes + images, attachment_bytes = upload_totals.attachment_bytes + files;
  else
    -- Not an upsert: the user may be deleted in the same statement.
    update upload_totals set image_bytes = image_bytes + images, attachment_bytes = attachment_bytes + files
    where user_id = old.user_id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION upload_uses_set(new_source text, new_key text, new_kind text, new_target uuid, paths text[], attachment_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  added_uploads uuid[];
  added_attachments uuid[];
  dropped_uploads uuid[];
  dropped_attachments uuid[];
begin
  with wanted as (
    select id as upload_id, null::uuid as attachment_id from uploads where path = any (paths)
    union select id, null from uploads where thumb_path = any (paths)
    union select id, null from uploads where middle_path = any (paths)
    union select null, id from attachments where id = any (attachment_ids)
  ), dropped as (
    delete from upload_uses as known where source = new_source and row_key = new_key and not exists (
      select from wanted where wanted.upload_id = known.upload_id or wanted.attachment_id = known.attachment_id)
    returning upload_id, attachment_id
  ), added as (
    insert into upload_uses (source, row_key, kind, target_id, upload_id, attachment_id)
    select new_source, new_key, new_kind, new_target, upload_id, attachment_id from wanted
    on conflict do nothing
    returning upload_id, attachment_id
  )
  select (select array_agg(upload_id) from added), (select array_agg(attachment_id) from added),
    (select array_agg(upload_id) from dropped), (select array_agg(attachment_id) from dropped)
  into added_uploads, added_attachments, dropped_uploads, dropped_attachments;

  -- The foreign keys hold a lock on the added files, so that nobody deletes them meanwhile. Locks are taken in order.
  if added_uploads is not null then
    update uploads set is_used = true where id in (
      select id from uploads where id = any (added_uploads) and not is_used order by id for no key update);
  end if;
  if added_attachments is not null then
    update attachments set is_used = true where id in (
      select id from attachments where id = any (added_attachments) and not is_used order by id for no key update);
  end if;
  -- The lock waits for transactions that add a use, which the second statement then finds.
  if dropped_uploads is not null then
    perform from uploads where id = any (dropped_uploads)
      and not exists (select from upload_uses where upload_id = uploads.id) order by id for update;
    update uploads set is_used = false where id = any (dropped_uploads) and is_used
      and not exists (select from upload_uses where upload_id = uploads.id);
  end if;
  if dropped_attachments is not null then
    perform from attachments where id = any (dropped_attachments)
      and not exists (select from upload_uses where attachment_id = attachments.id) order by id for update;
    update attachments set is_used = false where id = any (dropped_attachments) and is_used
      and not exists (select from upload_uses where attachment_id = attachments.id);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION upload_uses_tracked()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  fields jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
  row_key text := (
    select string_agg(fields ->> name, ':') from unnest(string_to_array(tg_argv[2], ',')) as name);
  paths text[] := '{}';
  ids uuid[] := '{}';
begin
  if tg_op <> 'DELETE' then
    paths := file_paths((
      select string_agg(fields ->> name, ' ') from unnest(string_to_array(tg_argv[3], ',')) as name));
    ids := array(
      select value::uuid from jsonb_array_elements_text(coalesce(fields -> 'attachments', fields -> 'fields' -> 'attachments', '[]')));
    -- Somebody was about to use a file when staff removed it: the removal was first.
    if exists (
      select from discarded_files where path = any (paths)
        and not exists (select from uploads where uploads.path = discarded_files.path)
        and not exists (select from uploads where uploads.thumb_path = discarded_files.path)
        and not exists (select from uploads where uploads.middle_path = discarded_files.path)
    ) or exists (
      select from unnest(ids) as wanted (id) where not exists (select from attachments where attachments.id = wanted.id)
    ) then
      raise foreign_key_violation using message = 'a removed file is used', constraint = 'uploads_removed';
    end if;
  end if;
  perform upload_uses_set(
    tg_table_name::text collate "default", row_key, tg_argv[0], (fields ->> nullif(tg_argv[1], ''))::uuid, paths, ids);
  return null;
end $function$;
