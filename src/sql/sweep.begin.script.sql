-- Temporary tables of labels that nothing names, and of those that a batch deletes.
create temp table if not exists unused_label (id integer primary key);
create temp table if not exists swept_label (id integer primary key);
delete from temp.unused_label;
delete from temp.swept_label;
