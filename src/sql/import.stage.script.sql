-- What was read of a history, until it is written day by day. Identities are salted hashes.
create temp table if not exists import_hit (
  id integer primary key,
  visit blob not null,
  visitor integer not null,
  at integer not null,
  day integer not null,
  data text not null
);
create index if not exists temp."import_hit#visit#at" on import_hit (visit, at);

create index if not exists temp."import_hit#day" on import_hit (day);

-- One visitor of one day.
create temp table if not exists import_visitor (
  number integer primary key,
  hash blob not null,
  day integer not null
);
create unique index if not exists temp."import_visitor#hash#day" on import_visitor (hash, day);

-- One visit; its number is that of its first row in the files.
create temp table if not exists import_visit (
  number integer primary key,
  visit blob not null,
  started_at integer not null
);
create index if not exists temp."import_visit#started_at" on import_visit (started_at);

-- One row of a day's sums.
create temp table if not exists import_sum (
  id integer primary key,
  day integer not null,
  row text not null
);
create index if not exists temp."import_sum#day" on import_sum (day);

-- What tells rows apart.
create temp table if not exists import_key (
  key blob primary key
) without rowid;

-- What other tables refer to, such as the visitors of views.
create temp table if not exists import_lookup (
  kind text not null,
  id text not null,
  value text not null
);
create index if not exists temp."import_lookup#kind#id" on import_lookup (kind, id);

delete from temp.import_hit;
delete from temp.import_visitor;
delete from temp.import_visit;
delete from temp.import_sum;
delete from temp.import_key;
delete from temp.import_lookup;
