-- A mainland number that a code has shown to be theirs; it signs in like a name.
alter table accounts
  add column phone text constraint accounts_phone_key unique,
  add constraint accounts_phone_check check (phone ~ '^1[3-9][0-9]{9}$');

-- When codes were asked for by text message, so that no number is flooded with them.
create table sms_asks (
  phone text primary key,
  asked_at timestamptz[] not null,
  expires_at timestamptz not null
);
create index sms_asks_expires on sms_asks (expires_at);
