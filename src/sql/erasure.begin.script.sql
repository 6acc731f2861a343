-- Temporary tables of the rows to erase and of the visits they belong to; cleared by the next erasure.
create temp table if not exists target (id integer primary key, next_id integer);
create temp table if not exists erased_view (id integer primary key);
create temp table if not exists erased_event (id integer primary key);
create temp table if not exists erased_session (id integer primary key);
create temp table if not exists erased_label (id integer primary key);
create temp table if not exists left_view (
  session_id integer not null,
  id integer not null,
  page_id integer not null,
  ended_at integer not null,
  primary key (session_id, id)
) without rowid;
create temp table if not exists left_event (
  session_id integer not null,
  id integer not null,
  active integer not null,
  primary key (session_id, id)
) without rowid;
create temp table if not exists changed_second (second integer primary key);
delete from temp.target;
delete from temp.erased_view;
delete from temp.erased_event;
delete from temp.erased_session;
delete from temp.erased_label;
delete from temp.left_view;
delete from temp.left_event;
delete from temp.changed_second;
