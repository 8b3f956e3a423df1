-- How often the provider was asked for the refund under a new number, and why the last request ended without success.
alter table orders add column refund_attempt smallint not null default 1 check (refund_attempt between 1 and 50);
alter table orders add column refund_problem text check (refund_problem in ('closed', 'abnormal', 'refused'));
