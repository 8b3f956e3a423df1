-- From here on secrets are encrypted by the program, right after the migrations: an older program cannot read them, and
-- refuses a database that has this.

-- Every start looks for secrets that are not encrypted by the current key.
create index accounts_totp on accounts (user_id) where totp_secret is not null;

-- Answers of calls that were kept for a day with the secret of a webhook in them.
delete from requests where response -> 'data' ? 'secret';
