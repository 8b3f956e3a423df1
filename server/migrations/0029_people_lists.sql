-- Lists of the back office: what they are sorted by and searched for.
create index users_essays on users (essay_count, id);
create index users_followers on users (follower_count, id);
create index users_reads on users (read_count, id);
create index users_identity on users (cur_identity, id);
create index users_created on users (created_at, id);

create index orders_amount on orders (amount, id);
create index orders_created on orders (created_at, id);
create index withdrawals_amount on withdrawals (amount, id);
create index withdrawals_created on withdrawals (created_at, id);
drop index ledger_entries_created;
create index ledger_entries_created on ledger_entries (created_at, id);

create index expert_applications_name on expert_applications (real_name text_pattern_ops);
create index expert_applications_created on expert_applications (created_at, id);

create index operations_created on operations (created_at, id);
create index operations_target on operations (target text_pattern_ops, id);
create index operations_request on operations (request_id);
create index operations_address on operations (address text_pattern_ops);
