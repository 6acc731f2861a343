-- name: import.hit.add
insert into temp.import_hit (visit, visitor, at, day, data)
values (@visit, @visitor, @at, @day, @data)

-- name: import.visitor.find
-- The number of a visitor of a day.
select number
from temp.import_visitor
where hash = @hash
  and day = @day

-- name: import.visitor.add
insert into temp.import_visitor (hash, day)
values (@hash, @day)
returning number

-- name: import.visit.fill
insert into temp.import_visit (number, visit, started_at)
select min(id), visit, min(at)
from temp.import_hit
group by visit

-- name: import.visit.list
-- The visits that begin on a day, in order.
select number, visit
from temp.import_visit
where started_at >= @start
  and started_at < @end
order by started_at, number

-- name: import.hit.list
-- The rows of a visit, in order.
select id, visitor, at, data
from temp.import_hit
where visit = @visit
order by at, id

-- name: import.hit.count
-- The number of views and events of a day.
select count(*) as hits
from temp.import_hit
where day = @day

-- name: import.hit.days
-- The days of what was read.
select day
from temp.import_hit
union
select day
from temp.import_sum
order by day

-- name: import.visitor.months
-- The visitors of a month, as a source counts them that knows them for longer than a day.
select day / 100 as month, count(distinct hash) as visitors
from temp.import_visitor
group by day / 100

-- name: import.sum.add
insert into temp.import_sum (day, row)
values (@day, @row)

-- name: import.sum.list
-- The rows of a day's sums, in the order of the files.
select row
from temp.import_sum
where day = @day
order by id

-- name: import.key.add
insert or ignore into temp.import_key (key)
values (@key)

-- name: import.lookup.add
insert into temp.import_lookup (kind, id, value)
values (@kind, @id, @value)

-- name: import.lookup.list
-- What was noted under an id, in the order of the files.
select value
from temp.import_lookup
where kind = @kind
  and id = @id
order by rowid

-- name: import.stage.script
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

-- What distinguishes rows.
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
