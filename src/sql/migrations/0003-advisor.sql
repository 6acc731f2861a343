-- The questions that an identity has pinned, in order; none for one that never chose.
create table advisor_preference (
  identity text primary key,
  pinned text not null check (json_valid(pinned))
) strict, without rowid;

-- What a page is called by the CMS, also before anybody has seen it.
alter table page_content add column title text;
