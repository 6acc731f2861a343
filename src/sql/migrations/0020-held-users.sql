-- Users may be held to filters, as application passwords are.
alter table user add column filters text check (filters is null or json_valid(filters));

-- Who has the secret of an invitation makes a user with this role and these filters, once.
create table invitation (
  uuid text primary key,
  hash blob not null unique,
  name text not null,
  role text not null,
  filters text check (filters is null or json_valid(filters)),
  created_at integer not null,
  expires_at integer not null
) strict, without rowid;
