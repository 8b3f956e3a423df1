-- An account is closed some days after its owner wanted it, unless they sign in before; what others' things hang on
-- stays, without the person.
alter table accounts add column closing_at timestamptz;
alter table users add column closed_at timestamptz;
