-- The page of the dashboard that a user begins with.
alter table user add column start_page text not null default 'overview';
