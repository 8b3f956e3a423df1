-- The back office asks at every visit of the dashboard whether there are demo users.
create index users_demo on users (id) where demo;
