-- Comments imported from another system were written by guests: they have a name instead of an account.
alter table comments
  alter column user_id drop not null,
  add column guest_name text,
  add column guest_site text not null default '',
  -- The guest's comment that a reply answers; the name is shown as long as that comment exists.
  add column reply_to_guest_id uuid references comments (id) on delete set null,
  add constraint comments_writer check ((user_id is null) = (guest_name is not null)),
  add constraint comments_guest_site check (guest_site = '' or guest_name is not null);
create index comments_answered_guest on comments (reply_to_guest_id) where reply_to_guest_id is not null;
create index comments_guests on comments (id desc) where user_id is null;

-- Which comments of another system were imported. A row stays when its comment is deleted, so that a second import
-- does not bring the comment back.
create table imported_comments (
  essay_id uuid not null references essays (id) on delete cascade,
  source text not null,
  foreign_id text not null,
  comment_id uuid references comments (id) on delete set null,
  transfer_id uuid not null,
  primary key (essay_id, source, foreign_id)
);
create index imported_comments_comment on imported_comments (comment_id) where comment_id is not null;
create index imported_comments_transfer on imported_comments (transfer_id, essay_id);

-- Positions of pinned essays: on the author's home page, and on the site's. The unique indexes enforce the limits.
alter table essays
  add column author_pin smallint,
  add column site_pin smallint,
  add constraint essays_author_pin check (author_pin between 1 and 3),
  add constraint essays_site_pin check (site_pin between 1 and 5),
  add constraint essays_pinned_on_shelf check (status = 3 or (author_pin is null and site_pin is null));
create unique index essays_author_pinned on essays (author_id, author_pin) where author_pin is not null;
create unique index essays_site_pinned on essays (site_pin) where site_pin is not null;
