-- A log of the mails without their contents, which are encrypted in the jobs.
create table mails (
  id uuid primary key,
  kind text not null,
  address text not null,
  status text not null default 'waiting',
  attempts integer not null default 0,
  -- The server refused the mail for good, so it is not sent again.
  permanent boolean not null default false,
  bounced boolean not null default false,
  reason text not null default '',
  response text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint mails_status_known check (status in ('waiting', 'sent', 'failed'))
);
create index mails_created on mails (created_at desc, id desc);
create index mails_status on mails (status, created_at desc, id desc);
create index mails_kind on mails (kind, created_at desc, id desc);
create index mails_address on mails (address, created_at desc, id desc);

-- Why mails to the address were refused; null: they were not.
alter table accounts add column email_bounce text;
