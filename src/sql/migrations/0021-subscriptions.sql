-- Digests that users have sent to an address, with filters of their own choice. Of the secret in the link that ends one
-- there is a hash; sent_to is the last day of the last one.
create table subscription (
  uuid text primary key,
  user_id integer not null references user (id) on delete cascade,
  hash blob not null unique,
  address text not null,
  period text not null check (period in ('week', 'month')),
  language text not null,
  filters text not null check (json_valid(filters)),
  created_at integer not null,
  sent_to integer not null
) strict, without rowid;
create index "subscription#user_id" on subscription (user_id);
-- Only the process that has the file imports orders, and it knows itself whether it does.
alter table shop_backfill drop column lease_until;
