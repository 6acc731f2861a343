-- What an erasure takes, and what is left of the visits that it touches; kept for the time of one transaction.
drop table if exists temp.erased_view;
drop table if exists temp.erased_event;
drop table if exists temp.erased_session;
drop table if exists temp.erased_label;
drop table if exists temp.left_view;
drop table if exists temp.left_event;
create temp table erased_view (id integer primary key);
create temp table erased_event (id integer primary key);
create temp table erased_session (id integer primary key);
create temp table erased_label (id integer primary key);
create temp table left_view (session_id integer not null, id integer not null, page_id integer not null, ended_at integer not null, primary key (session_id, id)) without rowid;
create temp table left_event (session_id integer not null, id integer not null, active integer not null, primary key (session_id, id)) without rowid;
